"""The picture of the README: steps of Pegasos, one phase after the other.

    .venv/bin/python book/_ext/moving_picture.py

writes `.github/one_step.svg`: the frames that the signature figure has for
paper, each shown in its turn. It needs no script, is drawn in the colours of
a light or a dark page, and stands still for who wants nothing to move.
"""

from pathlib import Path

from pegasos_edu.live import one_step
from pegasos_edu.live.toolkit.order import live_order
from pegasos_edu.live.toolkit.shades import SHADES, with_css_variables

PICTURE = Path(__file__).resolve().parents[2] / ".github" / "one_step.svg"
# A violator is drawn, then an example that is none.
STEPS, LAM = (7, 8), 0.5
SECONDS = 2.0  # a frame
TEXT = (
    "Two steps of Pegasos, each in four phases: draw an example, test its "
    "margin, shrink w, add the example if it is a violator. On the left the "
    "examples with the line and its street, on the right the weights."
)


def frames():
    """Each phase of each of the steps, as an SVG of its own."""
    order = live_order(one_step.N, one_step.T, one_step.SEED)
    rule = one_step.PEGASOS
    return [
        one_step.frame(
            one_step.steps_of(rule, LAM, order[:t]), phase, LAM, rule
        )
        for t in STEPS
        for phase in range(len(one_step.PHASES))
    ]


def palette(side):
    return "".join(
        f"--pegasos-{name}:{pair[side]};" for name, pair in SHADES.items()
    )


def style(count):
    """Each frame is seen for one part of the round; the last, if all rest."""
    turns = "".join(
        f".f{k}{{animation-delay:{k * SECONDS:g}s}}" for k in range(count)
    )
    return (
        f"svg{{{palette(0)}}}"
        f"@media (prefers-color-scheme:dark){{svg{{{palette(1)}}}}}"
        f"@keyframes turn{{0%,{100 / count:g}%{{visibility:visible}}"
        f"{100 / count + 0.01:g}%,100%{{visibility:hidden}}}}"
        f".f{{visibility:hidden;animation:turn {count * SECONDS:g}s "
        f"step-end infinite}}{turns}"
        "@media (prefers-reduced-motion:reduce){.f{animation:none}"
        f".f{count - 1}{{visibility:visible}}}}"
    )


def picture():
    """The whole picture, as the text of an SVG."""
    found = frames()
    box = found[0].split('viewBox="')[1].split('"')[0]
    turns = "".join(
        f'<g class="f f{k}">{frame}</g>\n' for k, frame in enumerate(found)
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{box}" '
        f'role="img" aria-label="{TEXT}">\n'
        f"<style>{style(len(found))}</style>\n"
        f'<rect width="100%" height="100%" fill="var(--pegasos-paper)"/>\n'
        f"{with_css_variables(turns)}</svg>\n"
    )


if __name__ == "__main__":
    PICTURE.write_text(picture(), "utf-8", newline="\n")
