"""What to ask a student who has made a mistake.

The check tells students what they did. An assistant asks back, so that they
find out by themselves: each question is about one number or one line that a
student can look at on the spot. So the mistake must show in what is asked
for: a number by which it differs, or the line that it stands in.
"""

from pegasos_edu.coursework.diagnosis.by_task import closest
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

# By the name of the exhibit; a test holds that each has its question.
QUESTIONS = {
    # A1.objective
    "sum-instead-of-mean": "What is f(0), by the formula and by your code?",
    "regulariser-without-half": (
        "What is your f of w = (1, 0) if all losses are 0? And by the formula?"
    ),
    "norm-not-squared": (
        "Double w: by which factor should the first term grow, and by which "
        "does yours?"
    ),
    "hinge-without-max": (
        "What does an example with the margin 3 cost by the formula, and in "
        "your code?"
    ),
    "counts-errors": (
        "Two examples are right, one with the margin 0.1 and one with 5. What "
        "does each cost by the formula, and in your code?"
    ),
    "regulariser-forgotten": (
        "What does your f do when you multiply a separating w by 1,000?"
    ),
    "subgradient-printed": "What is f(0)? What does your function give there?",
    # A1.step_size
    "counts-from-zero": (
        "What is your first step, as a formula in λ? What should it be?"
    ),
    "step-without-lambda": (
        "Halve λ: how should the step change, and how does yours?"
    ),
    # A1.visits
    "never-the-first-row": (
        "Which row numbers can your function return if n is 2?"
    ),
    "upper-end-included": (
        "What is the largest number your function can return for n = 3? "
        "What is X[3]?"
    ),
    "ignores-T": "How long is your result for T = 7?",
    "generator-made-anew": (
        "Print your first ten rows. What do you notice, and which line is "
        "run ten times?"
    ),
    "order-not-random": (
        "Which row follows row 4 in your order? Is that so for every seed?"
    ),
    "seed-ignored": (
        "Call it twice with seed 0, then twice with seed 1. What should be "
        "equal, what not?"
    ),
    # A1.pegasos
    "margin-after-shrink": (
        "In which line is the score computed, and what has happened to w "
        "before it?"
    ),
    "no-shrink-without-violation": (
        "The example has the margin 3. What is w after this step by the "
        "pseudocode?"
    ),
    "updates-only-when-wrong": (
        "Does an example with the margin 0.5 change w by the pseudocode? "
        "And in your code?"
    ),
    "wrong-sign": (
        "After the first step, on which side of your line is the example of "
        "this step?"
    ),
    "step-from-the-total": (
        "Run 5 steps, then 10 with the same first 5. Should w after 5 steps "
        "be the same?"
    ),
    "starts-at-zero": "What is t in your first pass of the loop? And η?",
    "starts-at-two": (
        "What should w be after the first step, as a formula in x, y and λ? "
        "What is yours?"
    ),
    "t-starts-anew-each-epoch": (
        "How large is your t right after the data have been seen once?"
    ),
    "label-not-in-the-update": (
        "An example labelled −1 has the score 0. Does the step raise or lower "
        "it?"
    ),
    "label-not-in-the-test": (
        "An example labelled −1 has the score −4. Is it a violator?"
    ),
    "added-without-lambda": (
        "What is η at t = 1 for λ = 0.01, and what do you multiply x by?"
    ),
    "shrinks-by-the-step": (
        "For λ = 0.1 and t = 2, by which number is w multiplied? Is it "
        "between 0 and 1?"
    ),
    "never-shrinks": (
        "Which line makes w shorter? What does w do if no example is a "
        "violator any more?"
    ),
    "projection-inverted": (
        "What is your factor for w = 0.001 · (1, 0)? Should a short w "
        "become longer?"
    ),
    "projects-unasked": (
        "Put beside each line of yours that changes w its line in the task's "
        "pseudocode. Which is left over?"
    ),
    "returns-the-average": (
        "After one step and after two: what is the last iterate, and what do "
        "you return?"
    ),
    "order-ignored": "With order = [2, 2, 2], which rows does your loop use?",
    "steps-of-one-epoch-only": (
        "X has 3 rows and order has 10 entries. How often does your loop run?"
    ),
    "t-counts-violators": (
        "Three steps in a row have no violator: what are t and η in each of "
        "them?"
    ),
    # A1.predict
    "returns-scores": "Which values may the result have? Which has yours?",
    "labels-zero-and-one": (
        "Which two labels does y hold? Which two do you return?"
    ),
    "labels-swapped": (
        "A row has the score 5. Which label does it get from you?"
    ),
    "sign-of-zero": "What is np.sign(0)? Is that a label?",
    "threshold-at-one": (
        "Two rows have the scores 0.5 and −0.5. Which labels should they get, "
        "and which do they get?"
    ),
    # A1.classifier
    "labels-not-translated-back": (
        "After fit(X, ['spam', 'ham', …]): what does predict return?"
    ),
    "labels-stay-zero-and-one": (
        "Print the labels that your solver is given. Is −1 among them?"
    ),
    "fit-returns-nothing": "What is type(model.fit(X, y))?",
    "classes-swapped": (
        "Which label is +1 in fit, and which is it in predict? Where is "
        "that written down?"
    ),
    # A2.log_loss
    "exp-overflows": (
        "What is np.exp(1000)? For which margins do you ask for it?"
    ),
    "margin-with-wrong-sign": (
        "What is your loss at the margins −5 and 5? Which should be larger?"
    ),
    "logarithm-to-base-ten": (
        "What is your loss at the margin 0? What is ln 2?"
    ),
    "still-the-hinge": (
        "What is your loss at the margin 2? Can a log loss be 0 there?"
    ),
    # A2.slope
    "sigmoid-for-exp": (
        "What is your slope at the margin 30? What should it be near?"
    ),
    "slope-positive": (
        "The loss falls as the margin grows. Which sign has its derivative?"
    ),
    "slope-of-the-other-side": (
        "Which example should pull harder, one with the margin −5 or with "
        "5? Which does?"
    ),
    "slope-inf-over-inf": (
        "What is your slope at the margin −1000, and which two numbers are "
        "divided there?"
    ),
    # A2.pegasos
    "minus-kept": (
        "After the first step, has the margin of that example grown?"
    ),
    "two-cases-kept": (
        "For which margins is the slope of the log loss exactly 0?"
    ),
    "shrink-lost-in-the-swap": (
        "Which term of the gradient comes from λ/2 ‖w‖², and where is it in "
        "your loop?"
    ),
    "score-for-margin": (
        "An example labelled −1 has the score −3. What is its margin, and "
        "which number goes into your slope?"
    ),
    "hinge-still-inside": "Which line has changed since assignment 1?",
    # A2.probability
    "probability-of-the-other": (
        "A row has the score 5. Should P(y = +1) be near 0 or near 1?"
    ),
    "score-as-probability": (
        "What is the largest value that your function can return?"
    ),
    # A3.pegasos
    "scale-forgotten-at-the-end": (
        "At the end, what is w in terms of a and v? What do you return?"
    ),
    "score-without-the-scale": (
        "With a = 1/2 and v = (2, 0), what is w, and what is the score of x "
        "= (1, 0)?"
    ),
    "added-without-making-up": (
        "a is 1/2. To add x to w, what must be added to v?"
    ),
    "made-up-with-the-old-scale": (
        "The shrink at t = 2 turns a = 1 into a = 1/2. By which of them do "
        "you divide, and by which is v multiplied after the step?"
    ),
    "scale-zero-at-the-start": (
        "What is 1 − 1/t at t = 1? What do you divide by next?"
    ),
    "shrinks-all-of-w": (
        "X has a million columns. Which of your lines takes a million "
        "operations?"
    ),
    "scale-reset-forgotten": (
        "Print a · v just before and just after the reset. Are they equal?"
    ),
    # A3.average
    "average-one-late": (
        "For T = 1: which single vector is the average, w_1 or w_2?"
    ),
    "average-of-one-too-many": "For T = 1: by which number do you divide?",
    "last-for-average": "Run one step. The average of w_1 = 0 alone is …?",
    "average-skips-quiet-steps": (
        "Ten steps have no violator: how many iterates does the average gain?"
    ),
    "guarded-by-the-scale": "Compute 1 − (1/(λ·1))·λ for λ = 1e-5. Is it 0?",
    # A4.regret
    "average-for-sum": (
        "If each round costs 1 more than u's, what is the regret after 10 "
        "rounds?"
    ),
    "rounds-not-added-up": (
        "If each round costs 1 more than u's, what is the last entry of "
        "your result?"
    ),
    "charged-after-the-update": (
        "Which row of W did the player have when the first example was shown?"
    ),
    "losses-without-regulariser": (
        "What does a round cost if its hinge loss is 0? Is it 0?"
    ),
    "nobody-to-compare-with": (
        "What is the regret if u is the player's own w in every round?"
    ),
    # A4.bound
    "bound-without-half": (
        "Put λ = 1, R = 1, T = 1 into the theorem. What do you get, in your "
        "code and by hand?"
    ),
    "bound-without-one": (
        "What is your bound at T = 1? And the regret of the first round, if u "
        "pays 1/2 there?"
    ),
    "bound-with-R-for-G": (
        "A subgradient is λw minus yx. How long can each of the two be?"
    ),
    "bound-of-the-projected": (
        "Which run is this bound for: with projection, or without?"
    ),
    # A4.slope
    "slope-on-linear-t": (
        "Measure t in thousands instead. Does your slope change? Should it?"
    ),
    "slope-of-two-points": (
        "Change one point in the middle. Does your slope change?"
    ),
    # A4.telescope
    "strong-convexity-left-out": (
        "Draw the tangent of f_t at w_t. By how much does f_t lie above it at "
        "u, if f_t has λ/2 ‖w‖² in it?"
    ),
    "t-before-both-distances": (
        "Write line 2 for t = 1. Which of its two distances is left?"
    ),
    "loss-alone-in-the-subgradient": (
        "What is ∇_t if the hinge loss is 0? Is it 0?"
    ),
    "length-not-squared": (
        "Expand ‖w − η∇ − u‖². With which power does ∇ stand in each term?"
    ),
    "line-with-its-sign-turned": (
        "Compute the number of the message by hand. Which sign has it, and "
        "which line of your code gives it the other?"
    ),
    "rounds-added-up": "What does your line 0 say of round 2 by itself?",
    # A4.crossing
    "crossing-in-logarithms": (
        "In which unit is your result? Between which two entries of t would "
        "it lie?"
    ),
    "crossing-among-the-points": (
        "What would you answer if the curves met after the last point?"
    ),
    "crossing-on-plain-axes": "What are the two axes of your fit?",
    "crossing-with-its-sign-turned": (
        "Set both lines equal, and solve for log t by hand. What is "
        "subtracted from what?"
    ),
    # A4.opponent
    "one-example-for-ever": (
        "What is w after the first round? What does your next example cost it?"
    ),
    "example-along-w": (
        "What is ⟨w, z⟩ for your example? For which z is the loss largest?"
    ),
    "minus-w-itself": "What do you play in the first round, when w is 0?",
    # A4.learner
    "plays-zero": "What does a round cost you? And the best fixed u?",
    "every-example-added": (
        "Your w has the margin 1.2 with an example. What does Pegasos do then?"
    ),
    "follows-the-last-example": (
        "Change the first row of Z and keep the last. Should what you play "
        "change, and does it?"
    ),
    "sum-not-divided-by-t": (
        "How long is your w after ten rounds with the same example?"
    ),
    # A4.refutation
    "one-game-for-all": (
        "Which of λ and T makes the ratio larger? Print it for three of each."
    ),
}


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


def ask(task, kind, name):
    """What to ask about a mistake that is no exhibit of this task.

    The closest there is: what stands under the name at the task or at its
    assignment, under the name alone, at the exhibit of that name in another
    task, and in the same way under the kind.

    Parameters
    ----------
    task, kind, name : str
        The kind is one of `names_by_kind`.

    Returns
    -------
    str

    Examples
    --------
    >>> ask("A1.pegasos", "data", "columns-rescaled")
    'Is the X in your loop the X that was handed in? Print X[0].'
    >>> ask("A1.pegasos", "form", "returns-nothing")
    'What is the last line of your function, and what does it return?'
    """
    words = closest(task, BY_PLACE, OWN, QUESTIONS, OF_A_KIND)
    question = words.get(name, kind)
    return question if "?" in question else words[question]
