"""What a page loads is what was written, without what only readers need."""

from offline import shortened, shortened_style


def test_comments_and_indentation_are_left_out():
    script = """/* What it is
   for. */
(function () {
  // One.
  const a = "/* b */ // c";  // stays
  return a;
})();
"""
    assert shortened(script) == (
        '(function () {\nconst a = "/* b */ // c";  // stays\n'
        "return a;\n})();\n"
    )


def test_a_rule_of_a_style_sheet_stays():
    style = "/* Why. */\n.a > .b {\n  color: red; /* c */\n}\n\n.c {}\n"
    assert shortened(style) == (".a > .b {\ncolor: red; /* c */\n}\n.c {}\n")


def test_styles_lose_the_spaces_between_their_parts():
    style = """.a > .b,
    .c :hover {
      color: red;
      content: "no; {} : change";
    }
    @media print {
      .c { margin: 0 auto; }
    }
    """
    assert shortened_style(style) == (
        ".a > .b,\n.c :hover{color:red;"
        'content:"no; {} : change";}'
        "@media print{.c { margin: 0 auto;}}"
    )
