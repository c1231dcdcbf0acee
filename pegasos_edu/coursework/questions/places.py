"""What to ask at one task or in one assignment, and what is right there."""

from pegasos_edu.coursework.questions.kinds import BALL, OF_A_KIND

NO_EXP = "Which of your lines calls exp? Has the formula one?"
NO_LOGARITHM = "Which of your lines takes a logarithm? Has the formula one?"
FLAT = (
    "Print your value at the margins 30 and 60 with all digits. Should they "
    "be equal?"
)
# Where the hinge is asked for, and the answer has a sigmoid.
OF_THE_HINGE = {
    "score-for-margin": "pull",
    "sigmoid-for-exp": "pull",
    "slope-of-the-other-side": "pull",
    "two-cases-kept": "pull",
    "exp-overflows": NO_EXP,
    "logarithm-of-zero": NO_LOGARITHM,
}
# The sparse solver's mistakes where w is one array, and has no scale.
WITHOUT_A_SCALE = {
    "added-without-making-up": "add",
    "multiplied-by-the-scale": "add",
    "made-up-with-the-old-scale": "add",
    "scale-forgotten-at-the-end": "returns",
}
# Other kinds have them, and what is wrong is how a row is read.
OF_CSR = dict.fromkeys(
    (
        "values-have-no-effect",
        "one-entry-for-a-row",
        "first-entry-of-each-row-alone",
        "values-of-other-entries",
    ),
    "values",
)
# What to ask of a mistake, or of all of a kind, by task or by assignment. A
# kind in place of a question: that of the kind, although the name has one.
BY_PLACE = {
    "A1": {**OF_THE_HINGE, **WITHOUT_A_SCALE},
    "A1.objective": {
        "formula": (
            "Take w = (1, 2), λ = 0.4, X = [[0, 2], [−1, 0], [0, −1]], y = "
            "[1, 1, −1]: what are the three losses, their mean, and the first "
            "term, by hand and in your code?"
        ),
        "labels-zero-and-one": (
            "A row labelled −1 has the score 3. What does it cost by the "
            "formula, and in your code?"
        ),
    },
    "A1.step_size": {
        "formula": (
            "With λ = 0.1: what is your step at t = 1, 2 and 3, and what "
            "should it be?"
        ),
        "starts-at-zero": "formula",
    },
    "A1.wasted": {
        "formula": (
            "Take X = [[0, 1, 0], [2, 0, 3], [0, 0, 0]], rows = [0, 1, 1]. "
            "Mark each multiplication, and then the wasted ones: how many of "
            "how many?"
        ),
        "columns-for-rows": "formula",
    },
    # One step has no t.
    "A1.step": {
        "shrink": "By which number is w multiplied for η = 2 and λ = 0.1?",
        "add": (
            "With η = 2, λ = 0.1 and the margin 0: by which number is y·x "
            "multiplied?"
        ),
        "added-without-lambda": "add",
        "never-shrinks": "shrink",
        "shrinks-by-the-step": "shrink",
        "wrong-sign": "label",
    },
    "A1.projected": {"project": BALL},
    "A2": {
        **WITHOUT_A_SCALE,
        "sigmoid-for-exp": "pull",
        "never-shrinks": "shrink",
        "no-shrink-without-violation": "when",
        "t-counts-violators": "count",
        "another-threshold": (
            "Which numbers stand beside the margin in your line? And in the "
            "formula?"
        ),
        "label-not-in-the-test": (
            "An example labelled −1 has the score −4. How much of it is added "
            "by the formula, and by your code?"
        ),
        "zero-one-for-plus-minus": (
            "An example labelled −1 has the score 0. How much of it is added "
            "by the formula, and by your code?"
        ),
    },
    "A2.log_loss": {
        "formula": (
            "What is your loss at the margins [0, 2], and by the formula?"
        ),
        "exponent-cut-off": (
            "Print your loss at the margins −1000 and −2000. Should they be "
            "equal?"
        ),
        "small-number-in-the-logarithm": (
            "Print your loss at the margins −1000 and −2000. Should they be "
            "equal?"
        ),
        "one-value-for-large-losses": (
            "Print your loss at the margins −10 million and −20 million. "
            "Should they be equal?"
        ),
    },
    "A2.slope": {
        "formula": (
            "What is your slope at the margins [−2, 2], and by the formula?"
        ),
        "exponent-cut-off": FLAT,
    },
    "A2.curvature": {
        "formula": (
            "What is your value at the margins [0, 2], and by the formula?"
        ),
        "exponent-cut-off": FLAT,
    },
    "A2.pegasos": {
        "exponent-cut-off": (
            "Print how much is added for the margins 200 and 300, with all "
            "digits. Should they be equal?"
        ),
    },
    "A2.probability": {
        "formula": (
            "Two rows have the scores 0 and 2. What are their probabilities, "
            "by hand and in your code?"
        ),
        "exp-overflows": (
            "What is np.exp(1000)? For which scores do you ask for it?"
        ),
    },
    "A3": {**OF_THE_HINGE, **OF_CSR},
    "A3.average": {"scale-forgotten-at-the-end": "returns"},
    "A3.projected": {"project": BALL},
    "A4": {
        "exp-overflows": NO_EXP,
        "regulariser-without-half": (
            "What does a round cost you for w = (1, 0) if its hinge loss is "
            "0? And by the formula?"
        ),
    },
    "A4.regret": {"logarithm-of-zero": NO_LOGARITHM},
    "A4.bound": {
        "formula": (
            "Take λ = 1/4, R = 3, T = 10. What is each factor of the bound, "
            "by hand and in your code?"
        ),
    },
    "A4.slope": {
        "formula": (
            "Take t = [1, 10, 100], gap = [5, 0.05, 0.0005]. Which slope "
            "should come out, and which does?"
        ),
    },
    "A1.classifier": {
        "epochs-for-steps": (
            "Count the steps of fit for T = 10 on 40 rows, and print the "
            "number. What should it be?"
        ),
        "lambda-has-no-effect": (
            "Print the λ that your solver gets in fit, for lam = 1 and for "
            "lam = 100. Are they these?"
        ),
    },
    "A1.predict": {
        "takes-the-size-of-the-score": (
            "Which label should a row with the score −3 get, and which does "
            "yours?"
        ),
    },
    "A4.crossing": {
        "formula": (
            "Take t = [1, 100, 10,000], a = [10,000, 100, 1], b = [10, 1, "
            "0.1]. Where do the lines meet, by hand and in your code?"
        ),
        "exp-overflows": (
            "Print what exp is taken of. Is it log t, or t itself?"
        ),
    },
}
# What is right, where the question has the numbers.
ANSWERS = {
    OF_A_KIND["eta"]: "10, 5 and 10/3",
    OF_A_KIND["shrink"]: "2/3",
    OF_A_KIND["pull"]: (
        "with the hinge 1, 1 and 0 times η, with the log loss 0.731, 0.378 "
        "and 0.119 times"
    ),
    OF_A_KIND["add"]: "with the hinge 5, with the log loss 2.5",
    BALL: "the first stays as it is; the second: 1.2 and 1.6",
    **{
        BY_PLACE[task][kind]: answer
        for task, kind, answer in (
            ("A1.step", "shrink", "0.8"),
            ("A1.step", "add", "2"),
            ("A1.objective", "formula", "0, 2 and 0; 2/3; 1"),
            ("A1.step_size", "formula", "10, 5 and 10/3"),
            ("A1.wasted", "formula", "4 of 9"),
            ("A2.log_loss", "formula", "0.693 and 0.127"),
            ("A2.slope", "formula", "−0.881 and −0.119"),
            ("A2.probability", "formula", "0.5 and 0.881"),
            ("A2.curvature", "formula", "0.25 and 0.105"),
            ("A4.bound", "formula", "4R² = 36, 1 + ln T = 3.303, 2λ = 0.5"),
            ("A4.slope", "formula", "−2"),
            ("A4.crossing", "formula", "at a million"),
        )
    },
}
# What helps whatever the report says, where it can say little.
OF_A_TASK = {
    "A1.loop": (
        "Take order = [0], then [0, 1], and do your own steps by hand. Where "
        "do you and your loop part?"
    ),
    "A4.planar": (
        "Draw your examples for T = 4. In which direction e is Σ⟨e, z_t⟩² "
        "least, and is it at least 1 there?"
    ),
}
