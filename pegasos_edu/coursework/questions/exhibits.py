"""What to ask about each exhibit of the zoo."""

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
    "touches-all-columns": (
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
