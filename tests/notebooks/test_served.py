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
        '(function () {const a = "/* b */ // c";  // stays\nreturn a;})();'
    )


def test_a_rule_of_a_style_sheet_stays():
    style = "/* Why. */\n.a > .b {\n  color: red; /* c */\n}\n\n.c {}\n"
    assert shortened_style(style) == ".a > .b{color:red; /* c */\n}.c{}"


def test_what_ends_in_a_comment_keeps_its_line():
    script = "f(); // once;\ng(a, // b,\n  c);\nh();\n"
    assert shortened(script) == "f(); // once;\ng(a, // b,\nc);h();"


def test_a_selector_of_two_lines_keeps_its_gap():
    style = '.a[b="c"]\n  .d,\n.e {\n  f: g(1px + 2px);\n}\n'
    assert shortened_style(style) == '.a[b="c"]\n.d,.e{f:g(1px + 2px)}'
