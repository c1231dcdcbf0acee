"""What to ask about the mistakes that are found by measuring."""

from pegasos_edu.coursework.diagnosis.games import (
    OF_A_LEARNER,
    OF_A_REFUTATION,
    OF_AN_OPPONENT,
)
from pegasos_edu.coursework.diagnosis.outcomes import (
    NO_NUMBERS,
    RAISED,
    SHAPES,
)
from pegasos_edu.coursework.questions.exhibits import QUESTIONS

# Of the mistakes that are found by measuring many have the question of their
# kind. Its numbers are such that every mistake that has it shows in them; a
# test computes that.
OF_A_KIND = {
    "form": "What is the last line of your function, and what does it return?",
    "data": "Is the X in your loop the X that was handed in? Print X[0].",
    "values": (
        "Take X = [[0, 3], [4, 5]] as CSR and print indptr, indices and data. "
        "Which of these numbers are row 1, and which does a step use?"
    ),
    "whose": (
        "Print the row's number and the label's at each step. Are they the "
        "same?"
    ),
    "rows": "Print the row of each step. Which does `order` name?",
    "eta": (
        "With λ = 0.1: what is η at t = 1, 2 and 3, by hand and in your code?"
    ),
    "count": "Print t and η at each step. Is t = 1, 2, 3, …, and η = 1/(λt)?",
    "shrink": "With λ = 0.1: by which number is w multiplied at t = 3?",
    "when": "Which examples make w shrink, and by how much each?",
    "pull": "With the margin −1, 0.5 or 2: how much of an example is added?",
    "add": (
        "With λ = 0.1, t = 2 and the margin 0: by which number is y·x "
        "multiplied?"
    ),
    "label": "An example labelled −1 has the score 0: does the step lower it?",
    "project": (
        "Which line changes w besides the shrink and the addition? Does the "
        "task ask for it?"
    ),
    "bias": "How many numbers do you learn, and how many has w?",
    "start": "Print w before the first step. What should it be?",
    "returns": (
        "What do you return after one step, after two and after three? What "
        "is asked for?"
    ),
    "probes": (
        "Change the argument that the message names, and nothing else. Should "
        "the result change?"
    ),
    "cost": "Which line takes longer if X has more columns?",
}
BALL = (
    "With λ = 1/4: what do (0.9, 1.2) and (1.8, 2.4) become when you project "
    "them?"
)
STEP_OF_THE_MESSAGE = (
    "With the numbers of the message: by which number is w multiplied, and "
    "by which y·x?"
)
THE_LINE = (
    "Print the type and the shape of all that stands in the line of the "
    "message. Which of them is not what you thought?"
)
EACH_TERM = (
    "Take T = 2. By hand: what does w_t pay in each round, what does u, and "
    "which of your numbers is that?"
)
THE_EXAMPLE = (
    "With w = [3, 4] and R = 1: which example costs most, and which does your "
    "opponent name?"
)
THE_GAME = (
    "Print λ, and the length of each of your examples. Play the first two "
    "rounds by hand: what is w after each?"
)
THE_LEARNER = (
    "With λ = 0.5: what do you play without an example, after [1, 0], and "
    "after [1, 0] and [0, 1]?"
)
DRAWN = "Ask for T = 20 of n = 3 rows and print them. Would dice give that?"
SHAPE = "Which shape has what you return, and which should it have?"
ANOTHER_ROW = (
    "Take two rows and order = [0, 0]. Change the numbers of row 1: should w "
    "change, and does yours?"
)
BESIDE = (
    "For three inputs, put your value beside the right one. What turns one "
    "into the other: a sign, a power, a factor, a sum?"
)
LENGTHS = (
    "Print ‖w‖ at the end of each of the first three steps. Is it at most "
    "1/√λ?"
)
OTHER_U = (
    "Change u, and nothing else. Which of your numbers should change, and "
    "which do?"
)
# Mistakes that do not show in what their kind asks for, in any task.
OWN = {
    # Form
    "changes-an-argument": (
        "Print the argument that the message names before and after the call. "
        "Is it the same?"
    ),
    "max-for-maximum": (
        "Which shape has your np.max(…), and which shape do you need?"
    ),
    "fewer-rows-than-T": "How long is your result for n = 3 and T = 7?",
    "draws-without-putting-back": (
        "Ask for T = 10 of n = 3 rows. Which rows have to come twice?"
    ),
    "a-row-never-drawn": (
        "Ask for T = 100 of n = 3 rows. How often do 0, 1 and 2 come?"
    ),
    "one-label-for-all": (
        "Print w after fit, and the scores of three rows. Which label should "
        "each get?"
    ),
    "T-has-no-effect": (
        "Print the rows that fit draws, and w at the end, with T = 3 and with "
        "T = 100. What should differ, and what does?"
    ),
    "lambda-upside-down": (
        "Print the λ that your solver gets for lam = 10, and its first step. "
        "What should both be?"
    ),
    "lambda-as-scikit-learns-C": (
        "Print the λ that your solver gets for lam = 10 and 40 rows. What "
        "should it be?"
    ),
    "shared-between-objects": (
        "Fit one object, then a second one on other rows. Print the w of the "
        "first before and after. What should change?"
    ),
    "as-many-steps-as-rows": (
        "Print how many steps fit makes, with T = 100 and with T = 1000, on "
        "40 rows. What should it be?"
    ),
    "moving-the-data-has-no-effect": (
        "Print the mean of the rows that your solver gets in fit, and of "
        "those that predict scores. Which should they be?"
    ),
    "one-label-has-no-effect": (
        "Print the y that your solver gets in fit. Which two values has it, "
        "and which should it have?"
    ),
    "classes-of-the-first-rows": (
        "Which labels have your first two rows? And if the data are sorted?"
    ),
    "some-rows-have-no-effect": (
        "Print all row numbers that fit uses, each once. How many are there, "
        "and how many rows has X?"
    ),
    "lambda-divided-by-n": (
        "Print the λ that your solver gets for lam = 10 and 40 rows. Which "
        "should it be?"
    ),
    "lambda-times-n": (
        "Print the λ that your solver gets for lam = 1 and 40 rows. Which "
        "should it be?"
    ),
    "label-of-the-first-row": (
        "Fit once more with the rows turned round. Which label is +1 in each "
        "of the two?"
    ),
    "label-of-other-points": (
        "Predict for ten points, then for the first of them alone. Does its "
        "label change?"
    ),
    "predict-changes-what-it-predicts": (
        "Call predict twice, and print w before each. What is different?"
    ),
    "no-steps-below-n": (
        "Print how many steps fit makes, with T = 10 on 40 rows. How many "
        "should it make?"
    ),
    "remembers-an-earlier-fit": (
        "Fit one object twice, to different rows. Print w as the second call "
        "begins. What should it be?"
    ),
    "as-many-rows-as-columns": (
        "Print the largest row number that you draw. How many rows are there?"
    ),
    "exchanged-labels-have-no-effect": (
        "Print the y that your solver gets in fit. Are both labels in it?"
    ),
    "right-for-some-labels-only": (
        "Fit with the labels 0 and 1, then with 'no' and 'yes'. Which labels "
        "does your solver get, and which does predict return?"
    ),
    "other-labels-than-asked": (
        "Which two values does your function return, and which are asked for?"
    ),
    "rows-not-whole": DRAWN,
    "rows-sorted": DRAWN,
    "rows-follow-each-other": DRAWN,
    "some-rows-ignore-the-seed": (
        "Print the first rows and the last ones for two seeds. Which are the "
        "same, and where do they come from?"
    ),
    "some-seeds-give-the-same": (
        "Print the first rows for the seeds 0 to 9. Which are the same, and "
        "what does your generator get in each?"
    ),
    "some-rows-more-often": DRAWN,
    # What an outcome shows
    **dict.fromkeys(RAISED, THE_LINE),
    "no-such-method": (
        "Print dir(…) of your class. Which of the methods that the task asks "
        "for are there?"
    ),
    "called-with-other-arguments": (
        "Read your `def` beside the task's sentence. Which arguments does "
        "each name, and where do they stand?"
    ),
    "complex-numbers": (
        "Print the number of which you take a root or a power. Is it below 0, "
        "and should it be?"
    ),
    "none-among-the-entries": (
        "Which entry is None, and which way does your code go there?"
    ),
    "beyond-all-floats": (
        "Print what you return for a case of your own, with numbers below 3. "
        "How large should it be?"
    ),
    **dict.fromkeys((NO_NUMBERS, *SHAPES), SHAPE),
    # The tournament
    **dict.fromkeys(OF_AN_OPPONENT, THE_EXAMPLE),
    **dict.fromkeys(OF_A_LEARNER, THE_LEARNER),
    **dict.fromkeys(OF_A_REFUTATION, THE_GAME),
    "another-order-of-examples": THE_GAME,
    "shortened-to-another-length": LENGTHS,
    "last-step-not-projected": LENGTHS,
    "projected-at-the-end-only": LENGTHS,
    # Solvers
    "columns-for-rows": (
        "Print your x at the first step, and the row of X that is named. Are "
        "they equal?"
    ),
    "minus-ones-not-added": (
        "Which values has y in your loop? What is added for a row labelled −1?"
    ),
    "w-stays-at-zero": (
        "At t = 1, with w = 0: what do you add, and which of its factors is 0?"
    ),
    "scale-nearly-zero-at-the-start": (
        "Print the scale after the first three steps. Which of them should "
        "be larger than the one before?"
    ),
    # After a projection w may be the same, and not all have a scale.
    "starts-at-two": QUESTIONS["starts-at-zero"],
    "score-without-the-scale": (
        "What is ⟨w, x⟩ at t = 3 by hand, and which score does your code have "
        "there?"
    ),
    "uses-other-rows": ANOTHER_ROW,
    "uses-all-rows": ANOTHER_ROW,
    "step-of-another-form": STEP_OF_THE_MESSAGE,
    "first-violator-missed": (
        "Put t = 1 and w = 0 into your test: which two numbers does it "
        "compare?"
    ),
    "shrink-of-another-form": STEP_OF_THE_MESSAGE,
    "some-steps-change-nothing": (
        "Print w before and after each of the first ten steps. At which is "
        "it the same, and which line saw to that?"
    ),
    "ends-outside-the-ball": LENGTHS,
    "addition-of-another-form": STEP_OF_THE_MESSAGE,
    "test-turned-round": (
        "An example has the margin 0.5, another one the margin 2. Which of "
        "them should be added, and which is?"
    ),
    "test-decides-otherwise": (
        "With the numbers of the message: what is the margin by hand, and is "
        "it below 1?"
    ),
    "labels-treated-differently": (
        "By which number is x multiplied for the label +1, and by which for "
        "−1, with the same margin and t?"
    ),
    "changes-every-column": (
        "Let one column of X be 0 in every row. What is w there at the end?"
    ),
    "one-weight-not-shrunk": (
        "Take a step with x = 0. By which number is each entry of w "
        "multiplied?"
    ),
    "shrinks-touched-columns-only": (
        "Let x be 0 in one column. By which number is that entry of w "
        "multiplied?"
    ),
    "multiplied-by-the-scale": (
        "The scale is 1/2, and v gains x. By how much does w grow?"
    ),
    "columns-left-behind": (
        "Take a step with (1, 0), then one with (0, 1), which is no violator. "
        "By what is the first weight multiplied in the second step?"
    ),
    "sets-instead-of-adds": (
        "An example with a 1 in one column is added. What is left there of "
        "the old entry of w?"
    ),
    "shrinks-by-the-sign": (
        "Shrink w = (4, 1) by the factor 1/2: what is it by hand, and in your "
        "code?"
    ),
    "another-threshold": (
        "From which margin on is an example left alone: by the pseudocode, "
        "and by your code?"
    ),
    "steps-with-momentum": (
        "What do you keep from one step to the next, besides w and t?"
    ),
    "margin-anew-for-each-column": (
        "How often do you compute the margin in one step, and of which w?"
    ),
    "tests-each-column-alone": (
        "How many tests does one step of yours make? And the pseudocode's?"
    ),
    "mixes-the-iterates": (
        "Which iterates go into what you return, and with which weight each?"
    ),
    "returns-an-earlier-iterate": (
        "Print w after each step of the run in the message. Which of them do "
        "you return?"
    ),
    "right-but-for-its-length": (
        "Print w after the last step, and what you return. Which line stands "
        "between them?"
    ),
    "returns-the-history": SHAPE,
    "returns-more-than-w": SHAPE,
    "returns-a-column": SHAPE,
    "differs-from-call-to-call": (
        "Call it twice. What is drawn, or kept, between the calls?"
    ),
    # One step
    "returns-the-change": (
        "Take a step with x = 0. What is left of w, by the pseudocode and in "
        "your code?"
    ),
    "no-sum-of-w-and-x": (
        "Take w = (1, 0), x = (0, 1) and the label 1. What should both "
        "entries of the result be?"
    ),
    # Numbers
    "few-digits": (
        "Print your value and the right one with all digits. Where do they "
        "part, and which line rounds?"
    ),
    "whole-numbers-only": (
        "Take a case whose result is no whole number. In which line does it "
        "lose its fraction?"
    ),
    "fractions-cut-off": (
        "Of which dtype is what you return for `np.array([1, 2])`, and for "
        "`np.array([1.0, 2.0])`?"
    ),
    "divides-by-zero": "Print what you divide by, each time. When is it 0?",
    "numbers-overflow": (
        "Print your largest number, line by line. Where does it grow?"
    ),
    "logarithm-of-zero": (
        "Print what the logarithm is taken of. When is it 0?"
    ),
    # Variants
    "answers-another-variant": (
        "Read the task's formula aloud. Which line of your code is it?"
    ),
    "head-start-outside-the-product": (
        "With λ = 0.1 and t₀ = 5: what is the first step, by hand and in your "
        "code?"
    ),
    "batch-summed-up": (
        "Take a batch with one row twice. Is the step another than with that "
        "row alone?"
    ),
    "batch-divided-by-its-violators": (
        "One row of a batch of four violates the margin. What does each of "
        "the other three add to the mean of the four subgradients?"
    ),
    "one-row-of-the-batch": (
        "Change the rows of one batch, one at a time. For which of them does "
        "w change?"
    ),
    # Any formula
    "another-formula": BESIDE,
    "sign-turned": BESIDE,
    "size-without-sign": BESIDE,
    "upside-down": BESIDE,
    "squared-once-more": BESIDE,
    "root-of-the-right-one": BESIDE,
    "one-minus-the-right-one": BESIDE,
    "right-but-for-a-factor": BESIDE,
    "right-but-for-a-constant": BESIDE,
    "right-in-another-form": (
        "Which of your lines turns the right values into what the message "
        "says?"
    ),
    "right-for-another-input": (
        "Print the input that the message names, in the line that uses it. "
        "Is it as it was handed in?"
    ),
    "losses-of-another-form": (
        "Take the margins of the message. What are the four losses and "
        "their mean, by hand and in your code?"
    ),
    "regulariser-of-another-form": (
        "Take w = (3, 4) and λ = 0.4. What is the first term, by hand and in "
        "your code?"
    ),
    "returns-a-constant": (
        "Call it with two different inputs. Which of your lines uses them?"
    ),
    "wrong-in-one-argument": (
        "Double the argument that the message names. By which factor should "
        "the result change, and by which does it?"
    ),
    "looks-at-other-entries": (
        "Call it with one entry, then with a second one beside it. Does the "
        "first result change?"
    ),
    "right-in-some-entries": (
        "Compute one value on each side of the number in the message. Which "
        "line treats them differently?"
    ),
    "arguments-exchanged": (
        "Which argument does the task name first, second, third, and which "
        "does your first line?"
    ),
    "length-without-the-cross-term": (
        "w = (3, 0) and (1, 0) is added. What is ‖w‖² afterwards, and what "
        "does your line give?"
    ),
    "only-the-addition-projected": (
        "Print the length of w after each step, and 1/√λ. Which line is to "
        "keep the one below the other?"
    ),
    "label-outside-the-bracket": (
        "An example labelled −1 has the score 0. What is 1 − y⟨w, x⟩ there, "
        "and what does your line give?"
    ),
    # Some formulas
    "label-forgotten": (
        "An example labelled −1 has the score −3. What is its hinge loss, and "
        "what do you get?"
    ),
    "cut-at-half": (
        "A row has the score 0.2. Which label should it get, and which does "
        "it get?"
    ),
    "difference-quotient": (
        "Which of your lines is the derivative, written as a formula?"
    ),
    "line-through-two-points": (
        "Change one point at a time. For which of them does your crossing "
        "stay?"
    ),
    "rounds-one-below-the-other": SHAPE,
    "term-of-another-form": EACH_TERM,
    "term-with-another-factor": (
        "Of which terms is the line by hand, and with which factors? Which "
        "of them are in yours?"
    ),
    "subgradient-of-the-loss-only": (
        "What is ∇_t in a round without a violation? Does your line 1 have "
        "anything there?"
    ),
    "other-rounds-violate": (
        "For which margins has the hinge a slope? In which rounds has your "
        "∇_t the example in it?"
    ),
    "inequality-as-equality": (
        "In which rounds is line 0 smaller than line 1? Print both."
    ),
    "another-line": "Which of your rows is ‖∇_t‖²/(2λt)?",
    "another-power-of-t": (
        "Compute the line for t = 2 and t = 3 by hand. By which factor is "
        "yours off each time?"
    ),
    "one-length-for-all-rounds": (
        "What is ‖∇_t‖² in the rounds 1 and 2? What does your line 3 have in "
        "its place?"
    ),
    "distance-not-squared": (
        "Let ‖w − u‖ be 3. Which number stands in the line, by the proof and "
        "in your code?"
    ),
    "against-another-point": OTHER_U,
    "against-nothing": OTHER_U,
    "distance-for-two-lengths": (
        "Take w = (3, 0) and u = (2, 0). What is ‖w‖² − ‖u‖², and what is "
        "‖w − u‖²?"
    ),
    "one-maximum-for-both": (
        "An example has the margin 2 with w and 0 with u. What is the loss of "
        "w minus that of u, and what do you get?"
    ),
    "loss-of-the-difference": (
        "An example has the margin 1 with w and −1 with u. What is the one "
        "loss minus the other, and what do you get?"
    ),
    "gains-left-out": (
        "In one round w pays less than u. Does the regret rise or fall there, "
        "and does yours?"
    ),
    "total-alone": "How long is your result after five rounds?",
    "regret-on-the-full-objective": (
        "Change a row that `order` does not name. Should your result change, "
        "and does it?"
    ),
}
