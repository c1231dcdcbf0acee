"""What axe-core has to say of a page: all of it, of every weight."""

from axe_playwright_python.sync_playwright import Axe

# Findings that are let through, each by rule and selector, with the reason.
WAIVED = []


def findings(page, within=None, **options):
    """What axe finds on a page, or within a selector, and nobody waived.

    Parameters
    ----------
    page : playwright.sync_api.Page
    within : str, dict or None
        A selector, or axe's own way to say what is looked at.
    **options
        Passed on to axe: ``rules``, ``runOnly``.

    Returns
    -------
    list of str
        The rule and the element of each finding, also of those that axe
        calls minor or moderate.
    """
    options["resultTypes"] = ["violations"]
    options["preload"] = False  # would ask for style sheets, in vain on a disk
    response = Axe().run(page, within, options).response
    return [
        f"{violation['id']}: {node['html'][:160]}"
        for violation in response["violations"]
        for node in violation["nodes"]
        if not is_waived(violation["id"], node["target"])
    ]


def is_waived(rule, target):
    return any(
        rule == waived_rule and selector in str(target)
        for waived_rule, selector, reason in WAIVED
    )
