"""What is right behind each question about a mistake of the zoo.

For the assistant alone: first what the question should bring to light, then
what the mistake makes of it. Tests compute the numbers.
"""

# By the name of the exhibit, in the order of the questions.
REPLIES = {
    # A1.objective
    "sum-instead-of-mean": (
        "By the formula 1: each loss is 1, and so is their mean. By this "
        "code n."
    ),
    "regulariser-without-half": "By the formula λ/2. By this code λ.",
    "norm-not-squared": "By 4. Here it grows by 2.",
    "hinge-without-max": (
        "It costs 0. Here it costs −2, and so pays for the mistakes of others."
    ),
    "counts-errors": "By the formula 0.9 and 0. Here both cost 0.",
    "regulariser-forgotten": (
        "The first term should grow by a million, and f with it. Here f "
        "falls, or stays 0."
    ),
    "subgradient-printed": (
        "f(0) is 1, whatever the data are. Here it is the length of the mean "
        "of all y·x."
    ),
    # A1.step_size
    "counts-from-zero": "It should be 1/λ. Here it is 1/(2λ).",
    "step-without-lambda": "It should double. Here it stays as it is.",
    # A1.visits
    "never-the-first-row": "0 and 1 should come. Here it is 1 alone.",
    "upper-end-included": (
        "It should be 2, that is n − 1. Here it can be 3, and there is no "
        "X[3]."
    ),
    "ignores-T": "It should be 7. Here it is n.",
    "generator-made-anew": (
        "They are one and the same row. The line that makes the generator "
        "runs ten times; it belongs before the loop."
    ),
    "order-not-random": (
        "Always row 5, or row 0 if there is none, with every seed. By chance "
        "any row may follow."
    ),
    "seed-ignored": (
        "Two calls with one seed should be equal, and another seed should "
        "give other rows. Here all four are equal."
    ),
    # A1.pegasos
    "margin-after-shrink": (
        "The score belongs to w before the shrink. The shrunk margin is "
        "1 − 1/t of it, so an example is added below the margin t/(t − 1). "
        "That tends to 1, hence no symptom."
    ),
    "no-shrink-without-violation": (
        "w, multiplied by 1 − 1/t. Here w stays as it is."
    ),
    "updates-only-when-wrong": (
        "By the pseudocode yx/(λt) is added, as for every margin below 1. "
        "Here w is only shrunk."
    ),
    "wrong-sign": (
        "On the right side, as w is yx/λ then. Here it is −yx/λ: the wrong "
        "side."
    ),
    "step-from-the-total": (
        "Yes: no step knows how many will follow. Here η is 1/(5λ) in the "
        "one run and 1/(10λ) in the other."
    ),
    "starts-at-zero": (
        "They should be 1 and 1/λ. Here t is 0, and η divides by it."
    ),
    "starts-at-two": "It should be yx/λ. Here it is yx/(2λ).",
    "t-starts-anew-each-epoch": (
        "It should be one more than the number of rows. Here it is 1 again."
    ),
    "label-not-in-the-update": (
        "It should lower it, by ‖x‖²/(λt). Here it raises it by as much."
    ),
    "label-not-in-the-test": (
        "No: its margin is 4. Here the score is tested, and −4 is below 1."
    ),
    "added-without-lambda": (
        "η is 100, and y·x should be multiplied by it. Here it is multiplied "
        "by 1."
    ),
    "shrinks-by-the-step": (
        "It should be 1/2, that is 1 − ηλ. Here it is 1 − η = −4, and w is "
        "turned round."
    ),
    "never-shrinks": (
        "A line with 1 − 1/t should. Without violators w should get shorter "
        "at every step; here it stays for ever."
    ),
    "projection-inverted": (
        "The factor should be 1: a short w is inside the ball, and stays. "
        "Here it is stretched to the length 1/√λ."
    ),
    "projects-unasked": (
        "The line with 1/√λ. The pseudocode of this task has none."
    ),
    "returns-the-average": (
        "The last iterates are w_2 and then w_3. Here w_1 = 0 comes back, and "
        "then w_2/2."
    ),
    "order-ignored": "Row 2, three times. Here rows 0, 1 and 2.",
    "steps-of-one-epoch-only": "It should run 10 times. Here it runs 3 times.",
    "t-counts-violators": (
        "t should grow by 1 each time, and η fall. Here both stay."
    ),
    # A1.predict
    "returns-scores": "−1 and +1 alone. Here it may be any number.",
    "labels-zero-and-one": "y holds −1 and +1. Here 0 and 1 come back.",
    "labels-swapped": "It should get +1. Here it gets −1.",
    "sign-of-zero": (
        "It is 0, and no: the labels are −1 and +1. A row on the line needs a "
        "side, too."
    ),
    "threshold-at-one": "They should get +1 and −1. Here both get −1.",
    # A1.classifier
    "labels-not-translated-back": (
        "It should return 'spam' and 'ham'. Here it returns −1 and +1."
    ),
    "labels-stay-zero-and-one": (
        "It has to be: the labels are −1 and +1. If it is not, look for a == "
        "that should be an =."
    ),
    "fit-returns-nothing": (
        "It should be the class of the model: fit ends with `return self`. "
        "Here it is NoneType."
    ),
    "classes-swapped": (
        "It must be the same one in both. Let fit write it down, and predict "
        "read it there."
    ),
    # A2.log_loss
    "exp-overflows": (
        "It is inf; so is the exp of −m for margins m below about −709.78. "
        "np.logaddexp(0, −m) never asks for it."
    ),
    "margin-with-wrong-sign": (
        "By the formula 5.007 and 0.007: the first is larger. Here they are "
        "exchanged."
    ),
    "logarithm-to-base-ten": (
        "Both should be 0.693. Here the loss is 0.301, which is log₁₀ 2."
    ),
    "still-the-hinge": (
        "It should be 0.127; a log loss is above 0 everywhere. Here it is 0."
    ),
    # A2.slope
    "sigmoid-for-exp": "It should be near 0. Here it is near −1/2.",
    "slope-positive": (
        "The minus sign: it lies between −1 and 0. Here it is positive."
    ),
    "slope-of-the-other-side": (
        "The one with −5: its slope is −0.993, the other's −0.007. Here it is "
        "the other way round."
    ),
    "slope-inf-over-inf": (
        "It should be −1. Here it is NaN: exp(1000) is inf, and inf is "
        "divided by 1 + inf."
    ),
    # A2.pegasos
    "minus-kept": (
        "It should have grown, from 0 to ‖x‖²/(2λ). Here it has fallen by as "
        "much."
    ),
    "two-cases-kept": (
        "For none: at the margin 2 it is −0.119. Here such an example adds "
        "nothing."
    ),
    "shrink-lost-in-the-swap": (
        "λw. With η = 1/(λt) it is the factor 1 − 1/t in front of w, which "
        "is missing here."
    ),
    "score-for-margin": (
        "The margin is 3, and should go into the slope. Here −3 does, and the "
        "example pulls though it is right."
    ),
    "hinge-still-inside": (
        "The test should have gone: at every step η·y·x/(1 + e^m) is added. "
        "Here no line has changed."
    ),
    # A2.probability
    "probability-of-the-other": "Near 1: 0.993. Here it is 0.007.",
    "score-as-probability": (
        "No probability is above 1. Here there is no largest value."
    ),
    # A3.pegasos
    "scale-forgotten-at-the-end": "w is a · v. Here v comes back.",
    "score-without-the-scale": (
        "w is (1, 0), and the score is 1. Here it is 2, that of v."
    ),
    "added-without-making-up": "2x, for then a · v gains x. Here it is x.",
    "made-up-with-the-old-scale": (
        "Both should be 1/2. Here it is divided by 1, and half of what is to "
        "be added is lost."
    ),
    "scale-zero-at-the-start": (
        "It is 0, and the addition divides by a. At t = 1 v is 0: leave the "
        "shrink out there."
    ),
    "touches-all-columns": (
        "The one that multiplies a whole vector. Only the number a and the "
        "entries of the row should change."
    ),
    "scale-reset-forgotten": (
        "They should be: v takes a over before a becomes 1. Here v is left as "
        "it is, and w jumps."
    ),
    # A3.average
    "average-one-late": "w_1, from before the first step. Here it is w_2.",
    "average-of-one-too-many": "It should be 1. Here it is 2.",
    "last-for-average": "0. Here w_2 comes back.",
    "average-skips-quiet-steps": (
        "Ten: every step has its iterate. Here it gains none."
    ),
    "guarded-by-the-scale": (
        "No: it is 1.1e-16. So ask for t = 1, which is certain, and not "
        "whether a is 0."
    ),
    # A4.regret
    "average-for-sum": "It should be 10. Here it is 1.",
    "rounds-not-added-up": (
        "It should be the number of rounds. Here it is 1."
    ),
    "charged-after-the-update": (
        "The first, w_1; in round t it is w_t, from before the update. Here "
        "w_{t+1} is charged."
    ),
    "losses-without-regulariser": (
        "It costs λ/2 ‖w‖², which is 0 for w = 0 alone. Here it is 0."
    ),
    "nobody-to-compare-with": (
        "It should be 0. Here it is the sum of all costs."
    ),
    # A4.bound
    "bound-without-half": "By hand 2. Here 4.",
    "bound-without-one": (
        "It should be 2R²/λ. Here it is 0, and the regret is already 1/2: w "
        "is 0 and pays 1."
    ),
    "bound-with-R-for-G": (
        "R each, as ‖w‖ is at most R/λ. So G is 2R; here it is R."
    ),
    "bound-of-the-projected": (
        "Without: there G is 2R. The √λ + R of this code needs ‖w‖ ≤ 1/√λ."
    ),
    # A4.slope
    "slope-on-linear-t": (
        "It should not: a unit only shifts log t. Here the slope is a "
        "thousand times as large."
    ),
    "slope-of-two-points": "It should change. Here it does not.",
    # A4.telescope
    "strong-convexity-left-out": (
        "By at least λ/2 ‖u − w_t‖². Here line 1 goes without it."
    ),
    "t-before-both-distances": (
        "That of w_2: in front of ‖w_1 − u‖² stands t − 1, which is 0. Here "
        "both are left."
    ),
    "loss-alone-in-the-subgradient": (
        "It is λw_t, which is 0 for w_t = 0 alone. Here it is 0."
    ),
    "length-not-squared": (
        "Not at all, once in −2η⟨∇, w − u⟩, and squared in η²‖∇‖². Here the "
        "square is missing."
    ),
    "line-with-its-sign-turned": (
        "The sign that was expected. In line 2 the distance of w_t stands "
        "with a plus, that of w_{t+1} with a minus."
    ),
    "rounds-added-up": (
        "It should be f_2(w_2) − f_2(u). Here that of round 1 is added."
    ),
    # A4.crossing
    "crossing-in-logarithms": (
        "It should be in steps, as t is. Here it is a logarithm: about 7 for "
        "a thousand."
    ),
    "crossing-among-the-points": (
        "It should be where the lines meet, beyond all points. Here it is the "
        "last entry of t."
    ),
    "crossing-on-plain-axes": (
        "They should be log t and the logarithms of a and b. Here they are t, "
        "a and b."
    ),
    "crossing-with-its-sign-turned": (
        "log t is the height of a minus that of b, over the slope of b minus "
        "that of a. Here the heights are exchanged."
    ),
    # A4.opponent
    "one-example-for-ever": (
        "Pegasos has w = z/λ then, and the same z has the margin 1/λ. If λ is "
        "at most 1, there is no hinge loss."
    ),
    "example-along-w": (
        "It is ‖w‖ here, and the loss below 1. The loss is largest for z = "
        "−w/‖w‖."
    ),
    "minus-w-itself": (
        "Here 0, from which nobody learns. Any z of length 1 would do."
    ),
    # A4.learner
    "plays-zero": (
        "A round costs 1. If all examples are the same z and λ is below 2, "
        "u = z pays λ/2."
    ),
    "every-example-added": (
        "It shrinks w, and adds nothing. Here the example is added."
    ),
    "follows-the-last-example": (
        "It should: at w = 0 the first row is a violator, and stays in the "
        "sum. Here it does not."
    ),
    "sum-not-divided-by-t": (
        "At most 1/λ by the pseudocode, if the example has the length 1. Here "
        "it is 10/λ."
    ),
    # A4.refutation
    "one-game-for-all": (
        "What they print decides. λ and the examples have to follow `excess`; "
        "here they are fixed."
    ),
}
