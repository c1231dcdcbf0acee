"""What a student is told of a mistake that is no exhibit of the zoo."""

from pegasos_edu.coursework.diagnosis.by_task import BY_TASK, closest
from pegasos_edu.coursework.zoo import ZOO

HINTS = {
    # The solvers
    "order-run-backwards": "you begin with the last entry of `order`.",
    "return-inside-the-loop": (
        "you return after a single step; how far is your `return` indented?"
    ),
    "one-step-short": "you take one step fewer than `order` has entries.",
    "first-entry-skipped": (
        "the first entry of `order` is never used; Python counts from 0."
    ),
    "each-row-once": "you visit every row once; `order` may repeat them.",
    "row-numbers-shifted": (
        "you use the row beside the one that `order` names."
    ),
    "order-moved-by-one": (
        "you begin one entry too late or too early, and end with the one that "
        "was left; which step uses order[0]?"
    ),
    "order-shuffled": (
        "you visit the right rows in another order: what is done with `order` "
        "before the loop?"
    ),
    "order-sorted": "you sort `order`; it is to be followed as it is.",
    "order-run-through-again": (
        "you run through `order` more than once; one entry is one step."
    ),
    "minus-ones-not-added": (
        "no row labelled −1 is ever added to w; the labels are −1 and +1."
    ),
    "rows-brought-to-length-one": (
        "you bring the rows of X to length 1; the task asks for X as it is."
    ),
    "columns-rescaled": (
        "you centre or rescale the columns of X; the task asks for X as it is."
    ),
    "last-entry-of-each-row-lost": (
        "the last entry of each row is never used; Python leaves the end of a "
        "slice out by itself."
    ),
    "first-entry-of-each-row-lost": (
        "the first entry of each row is never used; where does your slice "
        "begin?"
    ),
    "one-entry-for-a-row": (
        "your row has one entry: i:i+1 is entry i of all rows together. Where "
        "does row i begin, and where does it end?"
    ),
    "first-entry-of-each-row-alone": (
        "of each row you take the first entry; where does row i end?"
    ),
    "values-of-other-entries": (
        "you take the values by their column numbers; indices[k] and data[k] "
        "belong together."
    ),
    "values-have-no-effect": (
        "w is the same for other values in X: where does `data` enter?"
    ),
    "values-not-in-the-score": (
        "in your score every entry of a row counts as 1: where does `data` "
        "enter?"
    ),
    "values-not-in-the-addition": (
        "you add the same number in every column of a row: where does `data` "
        "enter?"
    ),
    "column-numbers-for-values": (
        "you calculate with `indices`, the numbers of the columns; the values "
        "are in `data`."
    ),
    "label-of-another-row": (
        "the row and the label of a step do not belong together: which index "
        "has each?"
    ),
    "violators-shrunk-twice": "a violator shrinks w twice in a step.",
    "others-shrunk-twice": (
        "an example with a large margin shrinks w twice in a step."
    ),
    "columns-for-rows": "you take column i of X; the examples are its rows.",
    "uses-other-rows": (
        "your w has parts of rows that `order` does not name: does "
        "a step take more rows than one, the one before, or change X by all "
        "of them?"
    ),
    "changes-every-column": (
        "w changes in a column that is 0 in every row: do you add one number "
        "to the whole of w?"
    ),
    "test-turned-round": (
        "you add the examples whose margin is above 1, and no others: read "
        "your test aloud."
    ),
    "test-decides-otherwise": (
        "both your steps are right, with and without the example; which of "
        "the two is taken is not. Of which w, which x and which y is the "
        "margin you test?"
    ),
    "lambda-squared-in-the-step": "your η has λ², or is divided by λ twice.",
    "calculates-with-text": (
        "a text is added or multiplied: which of your values is no number yet?"
    ),
    "first-violator-missed": (
        "nothing is added at t = 1, where w is 0: is that example tested, "
        "and by what? 0 < 0 is false."
    ),
    "some-steps-change-nothing": (
        "at some steps your w stays as it is, and the others are right: what "
        "lets your loop leave steps out, or end early?"
    ),
    "step-of-another-form": (
        "your shrink and your addition belong to the same η, but it is not "
        "1/(λt)."
    ),
    "shrink-of-another-form": (
        "what w is multiplied by is not always 1 − ηλ = 1 − 1/t."
    ),
    "addition-of-another-form": (
        "what you add is not always what η = 1/(λt) and the loss ask for."
    ),
    "labels-treated-differently": (
        "examples of one label count more than those of the other."
    ),
    "few-digits": (
        "your result is right to a few digits only: is it rounded, float32, "
        "a quotient of differences, or is a small number added?"
    ),
    "whole-numbers-only": (
        "all your results are whole numbers: is there an array of integers, "
        "or a //?"
    ),
    "fractions-cut-off": (
        "where you are given whole numbers your result has lost its "
        "fractions: of which dtype is the array that you fill?"
    ),
    "returns-an-earlier-iterate": (
        "what you return is one of your iterates, but not the last: do you "
        "stop early, or keep the best?"
    ),
    "right-but-for-its-length": (
        "your w points the right way but has another length: what is done to "
        "it at the end, or kept of the call before?"
    ),
    "mixes-the-iterates": (
        "your steps are right; what you return is an average of some of the "
        "iterates, and the last one is asked for."
    ),
    "divides-by-zero": "something is divided by 0; what is it, and when?",
    "exp-overflows": (
        "exp of a large number is infinite; write the formula so that it is "
        "never asked for one."
    ),
    "numbers-overflow": (
        "a number grows beyond all bounds; from where on, and by which factor?"
    ),
    "logarithm-of-zero": "the logarithm of 0 is infinite; where is it 0?",
    "changes-an-argument": (
        "`a -= …` and `a *= …` change the array a that was handed in; copy "
        "it first, or write a = a - …"
    ),
    "returns-nothing": "what should your function return, and in which line?",
    "touches-all-columns": (
        "which line of a step runs over all entries of a vector?"
    ),
    "multiplied-by-the-scale": (
        "you multiply what you add to v by the scale, and w is the scale "
        "times v: which number turns ηyx into what v must gain?"
    ),
    "touches-columns-of-other-rows": (
        "which line of a step runs over all columns that were in use before, "
        "not only those of its row?"
    ),
    "epochs-for-steps": (
        "you take n times as many steps as `order` has entries; one entry "
        "is one step."
    ),
    "uses-all-rows": (
        "every step of yours uses all rows; it should use the one that "
        "`order` names."
    ),
    "t-is-one-twice": "your first two steps both have t = 1.",
    "t-counts-down": "t must grow from 1 to T; yours falls.",
    "t-counts-epochs": "t must grow at every step, not once an epoch.",
    "t-counts-the-others": (
        "t is counted up only where the margin is large enough; when should "
        "it be?"
    ),
    "step-by-the-root": "the step falls like 1/t; yours falls like 1/√t.",
    "step-multiplied-by-t": (
        "your step grows with t; in Python 1 / lam * t means (1 / lam) * t."
    ),
    "step-multiplied-by-lambda": "you multiply by λ where you should divide.",
    "step-by-the-square": (
        "your step falls like 1/t²; it should fall like 1/t."
    ),
    "step-with-one-added": "yours is 1/(1 + λt); compare with 1/(λt).",
    "step-with-lambda-added": (
        "yours is 1/(λ + t): a sum where a product is asked for."
    ),
    "step-with-a-factor": "your step has a factor that 1/(λt) has not.",
    "step-divided-by-n": (
        "your step is divided by the number of rows; a step uses one row."
    ),
    "constant-step": (
        "your step stays the same; it should fall like 1/t. Is t counted up?"
    ),
    "shrink-twice-too-much": (
        "the gradient of λ/2 ‖w‖² is λw; yours is twice that."
    ),
    "shrink-by-half-too-little": (
        "the gradient of λ/2 ‖w‖² is λw; yours is half of that."
    ),
    "shrinks-by-lambda": "you shrink by 1 − λ; where is the step?",
    "shrinks-by-lambda-over-t": (
        "you shrink by 1 − λ/t; what is ηλ if η is 1/(λt)?"
    ),
    "grows-instead-of-shrinks": (
        "your w grows by 1 + ηλ; follow the sign of the regulariser."
    ),
    "scale-nearly-zero-at-the-start": (
        "1 − 1/t is 0 at t = 1, and you put a small number in its place, or "
        "add one: what is w before that step, so what may the scale be?"
    ),
    "shrink-without-one-minus": "you multiply by ηλ; the shrink is 1 − ηλ.",
    "shrink-divided-by-n": (
        "your shrink depends on the number of rows; λ has no 1/n."
    ),
    "shrink-by-division": (
        "you shrink by 1/(1 + ηλ), which for η = 1/(λt) is 1 − 1/(t + 1); "
        "the shrink is 1 − ηλ."
    ),
    "shrinks-others-only": (
        "is w shrunk when the example is a violator, too?"
    ),
    "shrinks-touched-columns-only": (
        "you shrink only the columns of this row; the shrink is for all of w."
    ),
    "classes-of-the-first-rows": (
        "you take two rows for the two labels; the first two may have the "
        "same one."
    ),
    "some-rows-have-no-effect": (
        "some rows change nothing in what you predict: which rows does fit "
        "give to your solver, and does it draw each of them in T steps?"
    ),
    "lambda-divided-by-n": (
        "your line is that for λ/n; λ has no 1/n, however many rows there are."
    ),
    "lambda-times-n": (
        "your line is that for λ·n; λ has no n, however many rows there are."
    ),
    "label-of-the-first-row": (
        "which of the two labels is +1 depends on the first row: what do "
        "your rows say if another one comes first?"
    ),
    "label-of-other-points": (
        "what you predict for a point changes with the points beside it: "
        "which numbers in predict are made of all of them?"
    ),
    "predict-changes-what-it-predicts": (
        "a second call of predict gives other labels for the same points: "
        "what does the first one change, or draw?"
    ),
    "no-steps-below-n": (
        "with fewer steps than rows you make none: T counts steps, each on "
        "one row; where do you divide it by the number of rows?"
    ),
    "remembers-an-earlier-fit": (
        "what a call of fit has learned is still there after the next: where "
        "does w become 0?"
    ),
    "as-many-rows-as-columns": (
        "only as many rows as there are columns have an effect: which number "
        "do you draw the rows from?"
    ),
    "columns-left-behind": (
        "you shrink a column when a row has it, for all steps before; what "
        "do the columns lack that the last rows have not?"
    ),
    "sets-instead-of-adds": (
        "you set the columns of this row; the example should be added."
    ),
    "divided-by-n": (
        "you divide what you add by the number of rows; a step uses one row."
    ),
    "added-without-the-step": "you add y·x; where is the step?",
    "added-times-lambda": "you add λ·y·x; compare with η·y·x.",
    "added-with-a-factor": "what you add has a factor too many.",
    "added-by-the-root": "what you add falls like 1/√t, not like 1/t.",
    "added-with-the-first-step": "what you add does not fall with t.",
    "addition-shrunk-too": (
        "you add first and shrink then: the new example is shrunk as well."
    ),
    "log-loss-unasked": "this is the log loss; the hinge is asked for.",
    "w-stays-at-zero": (
        "w is 0 at first, and stays so: on which side of your test is the "
        "margin 0? Is what you add multiplied by w, or by 0? Or is the new w "
        "not kept?"
    ),
    "updates-when-right": (
        "you add examples that are on the right side, and no others."
    ),
    "updates-always": (
        "examples with a large margin add to w, too; which ones should?"
    ),
    "takes-the-size-of-the-score": (
        "you test the size of the score; the test is on the margin y⟨w, x⟩."
    ),
    "another-threshold": (
        "you test as if the margin were compared with another number than 1: "
        "how do you compute the margin, and what do you compare it with?"
    ),
    "weighted-by-the-loss": (
        "what you add grows with the loss, as for the squared hinge."
    ),
    "adds-the-residual": (
        "what you add has y − ⟨w, x⟩ in it, as for least squares."
    ),
    "zero-one-for-plus-minus": (
        "p − y belongs to the labels 0 and 1; here they are −1 and +1."
    ),
    "loss-for-its-slope": "you weigh x by the loss; the slope is needed.",
    "slope-of-the-sigmoid": (
        "p(1 − p) is the derivative of the sigmoid, not of the log loss."
    ),
    "exponent-cut-off": (
        "you cut large numbers off before exp; beyond, the result is wrong. "
        "Is there a form that needs no cut?"
    ),
    "unit-length-at-every-step": "w is brought to length 1; nobody asked.",
    "bias-unasked": (
        "you train an intercept as well; this task has none, and it changes "
        "the scores."
    ),
    "starts-at-ones": "w begins with ones; it should begin with zeros.",
    "starts-elsewhere": "without any step your w is not 0.",
    "average-divided-by-one-less": (
        "you divide the sum of T iterates by T − 1."
    ),
    "average-divided-by-n": (
        "you divide the sum by the number of rows; how many iterates are "
        "there?"
    ),
    "sum-for-average": "this is the sum of the iterates; divide it.",
    "average-of-the-last-half": (
        "you average the last half of the iterates; all are asked for."
    ),
    "returns-unit-length": "you return w/‖w‖; its length carries meaning.",
    "returns-minus-w": (
        "your w is −1 times what it should be: is −w returned, or are the two "
        "labels exchanged?"
    ),
    "lambda-forgotten-at-the-end": "your result is λ times what it should be.",
    "divided-by-lambda-at-the-end": (
        "your result is 1/λ times what it should be: which line has divided "
        "by λ already?"
    ),
    "average-divided-by-lambda": (
        "your average is 1/λ times what it should be: which line has divided "
        "by λ already?"
    ),
    "lambda-forgotten-in-the-average": (
        "your average is λ times what it should be."
    ),
    "answers-another-variant": (
        "all else is right; read once more what is asked of you."
    ),
    "head-start-outside-the-product": (
        "yours is 1/(λt + t₀); λ multiplies the sum of t and t₀."
    ),
    "batch-summed-up": (
        "you add up what the rows of a batch give; the mean is asked for."
    ),
    "batch-divided-by-its-violators": (
        "what a batch adds is divided by the number of its violators; the "
        "mean is over all of its rows."
    ),
    "one-row-of-the-batch": "you use one row of each batch only.",
    # What a probe finds
    "returns-the-history": (
        "you return w after every step; only the last one is asked for."
    ),
    "returns-more-than-w": (
        "you return more numbers than w has, or more than one thing."
    ),
    "returns-a-column": "your result is right but for its shape.",
    "differs-from-call-to-call": (
        "two calls with the same arguments gave different results: is "
        "something drawn at random, or kept from call to call?"
    ),
    "order-has-no-effect": (
        "w stays the same when `order` names other rows: where do yours come "
        "from?"
    ),
    "labels-have-no-effect": "w stays the same when all labels are turned.",
    "lambda-has-no-effect": "w stays the same for another λ.",
    "steps-have-no-effect": (
        "w stays the same when steps are added: does your loop end early, at "
        "a `break` or a `return`?"
    ),
    # The small functions
    "regulariser-without-lambda": "the regulariser is to be weighed by λ.",
    "regulariser-divided-by-n": (
        "only the losses are divided by n, not the regulariser."
    ),
    "regulariser-by-absolute-values": (
        "you add absolute values; ‖w‖² is a sum of squares."
    ),
    "regulariser-subtracted": "the regulariser is added, not subtracted.",
    "counts-violators": (
        "you count violators; the hinge loss also measures by how much."
    ),
    "label-forgotten": "the margin is y⟨w, x⟩; where is y?",
    "label-outside-the-bracket": (
        "yours acts as y(1 − ⟨w, x⟩), where 1 − y⟨w, x⟩ is asked for. For "
        "which label do the two differ?"
    ),
    "hinge-without-one": "the hinge is max(0, 1 − m); where is the 1?",
    "hinge-turned-round": (
        "which examples cost something, those with small or large margins?"
    ),
    "losses-squared": "the losses are squared; nobody asked for that.",
    "largest-loss-only": (
        "your value has one loss in it; np.max takes the largest of all, "
        "np.maximum compares entry by entry."
    ),
    "max-for-maximum": (
        "np.max takes the largest entry of one array; np.maximum compares "
        "two, entry by entry."
    ),
    "sum-divided-by-two-n": "your losses count by half.",
    "divided-by-another-number": (
        "you divide the sum of the losses, but not by their number n."
    ),
    "median-for-mean": "you take the median of the losses; f has the mean.",
    "cut-at-half": "½ divides probabilities; scores are divided at 0.",
    "loss-of-the-mean-margin": (
        "you take the loss of the mean margin; f has the mean of the losses."
    ),
    "returns-the-change": "you return what is added to w; where is w itself?",
    "slope-of-the-exponential": (
        "you differentiate e^(−m); there is a logarithm around it."
    ),
    "one-weight-not-shrunk": (
        "one entry of w is never shrunk; an intercept was not asked for."
    ),
    "steps-with-momentum": (
        "a step of yours goes on in the direction of the one before; each "
        "should start anew."
    ),
    "tests-each-column-alone": (
        "y·w·x are d products, and you test each of them; the margin is "
        "their sum."
    ),
    "margin-anew-for-each-column": (
        "you compute the margin anew for every column, when a part of w has "
        "changed; once a step is enough."
    ),
    "mean-moved-by-one-over-T": (
        "you move the mean by 1/T at every step; at step t it is 1/t."
    ),
    "factors-one-step-late": (
        "the violator of step τ is in w_{τ+1} already; your factors leave "
        "that iterate out."
    ),
    "all-divided-by-the-last-t": (
        "you divide every sum of violators by λT; which t belongs to which?"
    ),
    "draws-without-putting-back": (
        "you draw without putting back, and T may be larger than n."
    ),
    "last-step-not-projected": (
        "you project before the steps; what the last one gives is not "
        "projected."
    ),
    "only-the-addition-projected": (
        "you bring what is added into the ball, and then add it; it is w that "
        "is to be in the ball after the step."
    ),
    "length-without-the-cross-term": (
        "you keep up the square of a length, and add the square of what is "
        "added: is ‖a + b‖² the sum of ‖a‖² and ‖b‖²?"
    ),
    "no-projection": "w is never brought back into the ball.",
    "always-brought-to-the-edge": (
        "you bring w to the edge of the ball when it is inside, too."
    ),
    "ends-outside-the-ball": (
        "your w may be longer than 1/√λ: which line changes it after the "
        "projection?"
    ),
    "ball-of-another-radius": "the radius of the ball is 1/√λ.",
    "entries-cut-off-one-by-one": (
        "you cut off each entry of w; the ball is about its length."
    ),
    "divided-by-the-length": (
        "you divide w by its length at every step; the ball's radius is 1/√λ, "
        "and what is inside stays."
    ),
    "entries-left-out": "you use every other entry of `order` only.",
    "two-entries-a-step": "you take two entries of `order` for one step.",
    "shrinks-by-the-sign": (
        "you subtract the signs of w; the slope of λ/2 ‖w‖² is λw."
    ),
    "added-divided-by-lambda": (
        "what you add is divided by λ once more; η holds it already."
    ),
    "divided-by-lambda": "λ multiplies ‖w‖²/2; you divide by it.",
    "small-number-in-the-logarithm": (
        "a small number keeps the logarithm from 0, by a sum or as the least "
        "p; beyond, the loss no longer grows. Which form needs none?"
    ),
    "one-value-for-large-losses": (
        "from some loss on yours is always the same number; the right one "
        "grows with −m."
    ),
    "hinge-for-log-loss": "this is a hinge; the log loss is ln(1 + e^(−m)).",
    "difference-quotient": (
        "this is a quotient of differences; the slope is asked for as a "
        "formula."
    ),
    "sigmoid-twice": "you apply the sigmoid to what is a probability already.",
    "score-with-a-factor": (
        "the score is multiplied by a number before e is raised to it."
    ),
    "against-another-point": (
        "the regret is against u; which point do you compare with?"
    ),
    "against-nothing": "what u pays is to be subtracted.",
    "distance-for-two-lengths": (
        "‖w‖² − ‖u‖² is not ‖w − u‖²: each pays for its own length."
    ),
    "loss-of-the-difference": (
        "the loss of w − u is not the loss of w minus that of u."
    ),
    "one-maximum-for-both": (
        "max(0, a) − max(0, b) is not max(0, a − b): each loss has its own "
        "maximum."
    ),
    "gains-left-out": (
        "where w pays less than u, the regret falls; yours never does."
    ),
    "sum-for-logarithm": (
        "1 + 1/2 + … + 1/T is at most 1 + ln T, and that is asked for."
    ),
    "softmax-over-rows": (
        "your values add up to 1 over the rows; each row has a probability "
        "of its own."
    ),
    "upside-down": "your value is 1 divided by the right one.",
    "squared-once-more": "your value is the square of the right one.",
    "size-without-sign": "your value has lost its sign.",
    "fewer-rows-than-T": (
        "you return fewer rows than T: where do more come from, once every "
        "row was drawn?"
    ),
    "losses-forgotten": "where do the losses enter your value?",
    "returns-a-constant": (
        "your value was the same in every trial, whatever it was given."
    ),
    "not-one-number": "f(w) is one number; what do you do with the n losses?",
    "step-does-not-fall": "your step does not depend on t.",
    "step-with-wrong-sign": "a step is positive.",
    "wrong-logarithm": "the logarithm is to the base e.",
    "loss-with-wrong-sign": "a loss is never negative.",
    "slope-for-loss": "this is the slope of the loss.",
    "sigmoid-for-loss": "this is the sigmoid; the loss is a logarithm of it.",
    "one-added-twice": (
        "log1p(z) is ln(1 + z): one of your two ones is too many."
    ),
    "one-forgotten": "the formula has 1 + exp(…) in it; where is the 1?",
    "logarithm-forgotten": "where is the logarithm?",
    "summed-up": "one value for every entry is asked for; yours is a sum.",
    "averaged": "one value for every entry is asked for; yours is a mean.",
    "minus-forgotten-inside": "look at the sign in the exponent.",
    "loss-for-slope": "this is the loss itself.",
    "slope-of-the-hinge": "this is the slope of the hinge.",
    "second-derivative": "this is the second derivative, or its negative.",
    "tanh-for-sigmoid": (
        "tanh goes from −1 to 1; a probability lies between 0 and 1."
    ),
    "labels-for-probabilities": "this is a decision, no probability.",
    "exponential-alone": "an exponential alone may exceed 1.",
    "root-of-the-right-one": "your value is the root of the right one.",
    "one-minus-the-right-one": "your value is 1 minus the right one.",
    "right-but-for-a-factor": (
        "your value is a multiple of the right one: which factor is missing, "
        "or too many?"
    ),
    "right-for-another-input": (
        "the message says for which input your value is right: which of your "
        "lines uses that?"
    ),
    "right-in-another-form": (
        "what you return is made of the right values, and is not what is "
        "asked for."
    ),
    "losses-of-another-form": (
        "what the margins add to your value is not the mean of their losses."
    ),
    "regulariser-of-another-form": (
        "what is left of your value without losses is not λ/2 ‖w‖²."
    ),
    "right-but-for-a-constant": (
        "your value is off by the same number always: what is added, or left "
        "out?"
    ),
    "wrong-in-one-argument": (
        "one of the arguments does not enter as it should; put in two values "
        "of it by hand."
    ),
    "looks-at-other-entries": (
        "what you return for one entry changes with the other entries; each "
        "stands for itself."
    ),
    "right-in-some-entries": (
        "your formula is right for some numbers and wrong for others: what "
        "is different there?"
    ),
    "no-sum-of-w-and-x": (
        "what you return is no multiple of w plus one of x: is there a "
        "product entry by entry, an entry left out, or a number taken off all?"
    ),
    "a-row-never-drawn": (
        "one of the rows is never drawn: from which number to which does "
        "your random function go?"
    ),
    "one-label-for-all": (
        "predict gives the same label to all rows: what is w after fit, and "
        "what is compared with what?"
    ),
    "T-has-no-effect": (
        "predict does the same after 1, 2, 3 and T steps: where do the T "
        "steps enter?"
    ),
    "lambda-upside-down": (
        "your line is the best one for 1/λ: is your solver given λ, and "
        "where is it multiplied or divided by it?"
    ),
    "lambda-as-scikit-learns-C": (
        "your line is the best one for 1/(nλ), which scikit-learn calls C; "
        "which number is your solver given?"
    ),
    "right-for-some-labels-only": (
        "your classifier is right for some pairs of labels and wrong for "
        "others: which labels does your code count on?"
    ),
    "projected-at-the-end-only": (
        "you project once, at the end; every step is to be projected."
    ),
    "inside-by-another-number": (
        "whether w is in the ball is asked of ‖w‖ and 1/√λ, or of both their "
        "squares; which two do you compare?"
    ),
    # A1.wasted
    "counts-the-entries-in-use": (
        "you count the entries that are not 0; which are wasted?"
    ),
    "counts-columns-and-rows": (
        "you count rows or columns; what is asked for are multiplications, "
        "one for each entry of a row."
    ),
    "all-rows-of-X": "you count in all of X; `rows` names those to count in.",
    "as-many-rows-from-the-top": (
        "you take as many rows as are named, but which ones?"
    ),
    "number-for-share": "a share lies between 0 and 1: divide by what?",
    "in-percent": "a share lies between 0 and 1; yours is in percent.",
    # A2.curvature
    "first-derivative": "this is the first derivative, or its negative.",
    "third-derivative": "this is the third derivative, or its negative.",
    "slope-squared": (
        "the square of the slope, at m or at −m, is not the slope of the "
        "slope; differentiate once more."
    ),
    "loss-for-curvature": "this is the loss itself.",
    # Assignment 4
    "rounds-one-below-the-other": (
        "your array has a row for each round; a row for each line is asked "
        "for."
    ),
    "term-with-another-factor": (
        "a term of the line has a factor that it has not in the proof."
    ),
    "one-length-for-all-rounds": (
        "your line 3 has one number for all rounds in place of ‖∇_t‖²: a "
        "bound on it, or its largest?"
    ),
    "another-power-of-t": (
        "the line is divided by t, or multiplied by it, once too often or "
        "not often enough."
    ),
    "another-formula": (
        "the message writes out what your value is; which part of it differs "
        "from what is asked for?"
    ),
    "term-of-another-form": (
        "the message names what stands in the place of a term; compare it "
        "with f_t(w_t) − f_t(u), and see which terms are added up."
    ),
    # What an outcome shows
    "if-on-an-array": (
        "this line asks whether an array is true; it has an answer for each "
        "entry: go through the entries, or use np.where or np.maximum."
    ),
    "number-asked-of-an-array": (
        "a function in this line takes a single number and was given an "
        "array; NumPy has its own for arrays."
    ),
    "minus-for-a-truth-value": (
        "NumPy has no minus for truth values such as m < 1; make it a number "
        "first."
    ),
    "other-arguments-than-asked": (
        "a function in this line has other arguments than it is called with."
    ),
    "works-with-nothing": (
        "a value in this line is None: which of your functions lacks a "
        "`return`, or changes something in place?"
    ),
    "arguments-exchanged": (
        "with two of its arguments exchanged your function is right; in which "
        "order does the task name them?"
    ),
    "shapes-do-not-fit": (
        "two arrays in this line have shapes that do not fit: print both."
    ),
    "index-not-whole": (
        "rows and entries have whole numbers; what is your index?"
    ),
    "index-out-of-range": (
        "an index in this line is beyond the end; n entries have the numbers "
        "0 to n − 1: how often does your loop run?"
    ),
    "too-many-indices": (
        "an array in this line has fewer axes than it gets indices: print its "
        "shape."
    ),
    "mask-of-another-length": (
        "a mask of True and False needs an entry for each row that it chooses "
        "from: print both shapes."
    ),
    "index-into-a-number": (
        "what stands before the brackets in this line is one number; it has "
        "no entries."
    ),
    "used-before-it-is-set": (
        "a variable is used in this line before anything was assigned to it."
    ),
    "name-not-known": (
        "a name in this line is not known there: is it written otherwise "
        "elsewhere, or set in a cell that was not run?"
    ),
    "no-such-attribute": (
        "what stands before the dot in this line has no attribute of this "
        "name."
    ),
    "no-such-method": (
        "the check asks for a method that is not there: has its `def` this "
        "name, and is it indented below `class`? Does fit return self?"
    ),
    "called-with-other-arguments": (
        "the check calls what you wrote with other arguments than your `def` "
        "names; compare it with what the task asks for."
    ),
    "calls-itself": "your function calls itself without an end.",
    "no-numbers": (
        "what you return is no array of numbers: a text, a dictionary, a "
        "generator or a sparse matrix is none, nor are parts of different "
        "shapes, as in `return x, y`."
    ),
    "complex-numbers": (
        "you return complex numbers, which a negative number has for its "
        "root, as in `(-1) ** 0.5`: where may one come from here?"
    ),
    "none-among-the-entries": (
        "an entry of what you return is None: for which numbers does your "
        "`if` give nothing?"
    ),
    "beyond-all-floats": (
        "whole numbers of Python have no end, and yours is beyond all floats: "
        "what do you multiply, or raise to a power, so often?"
    ),
    "many-numbers-for-one": ("you return an array; one number is asked for."),
    "one-number-for-many": ("you return one number; an array is asked for."),
    "rows-and-columns-exchanged": (
        "your array stands on its side: its rows should be its columns."
    ),
    "too-many-numbers": "your array is longer than asked for.",
    "too-few-numbers": "your array is shorter than asked for.",
    "numbers-in-another-shape": (
        "your numbers do not stand in the shape that is asked for."
    ),
    "other-labels-than-asked": "the labels are −1 and +1.",
    "one-label-has-no-effect": (
        "the rows of one of the two labels change nothing in what you "
        "predict; which numbers does your solver get for the labels?"
    ),
    "exchanged-labels-have-no-effect": (
        "your predictions stay the same when examples exchange their labels: "
        "which y does your solver get in fit?"
    ),
    "shared-between-objects": (
        "two of your classifiers do not keep their own weights and labels: "
        "what belongs to self, what to the class or to the notebook?"
    ),
    "as-many-steps-as-rows": (
        "from n steps on, T changes nothing: where does fit make T steps of "
        "your solver, each on one row?"
    ),
    "moving-the-data-has-no-effect": (
        "add one vector to all training rows, and you predict the same: do "
        "you take their mean away in fit, and not in predict?"
    ),
    "rows-not-whole": (
        "row numbers are whole; which random function draws whole numbers?"
    ),
    "rows-sorted": (
        "your rows are sorted, so all visits to a row come at once; the "
        "order should be random, too."
    ),
    "rows-follow-each-other": (
        "from nearly every row one can tell the next; each should be drawn "
        "anew."
    ),
    "some-rows-ignore-the-seed": (
        "in some places stands the same row for every seed: which of your "
        "lines fills them?"
    ),
    "some-seeds-give-the-same": (
        "some seeds give the same rows, others do not: what becomes of the "
        "seed before the generator gets it?"
    ),
    "some-rows-more-often": (
        "some of your rows come far more often than others; each should have "
        "the same chance."
    ),
    # The tournament
    "example-too-long": "an example may be at most 1 long.",
    "fails-where-w-is-zero": (
        "with w = 0, as in the first round, you return no two finite numbers."
    ),
    "example-of-length-zero": (
        "your example is 0: it costs every w the same."
    ),
    "example-shorter-than-allowed": (
        "your examples are shorter than 1; which length costs most?"
    ),
    "example-without-w": (
        "your example is the same for two different w; the opponent sees w."
    ),
    "example-across-w": (
        "your example is at right angles to w, so its margin is 0; which "
        "example costs more?"
    ),
    "fails-before-the-first-example": (
        "in the first round there is no example yet: Z has no row. What do "
        "you play then?"
    ),
    "plays-without-the-examples": (
        "you play the same whatever the examples were."
    ),
    "sum-of-another-length": (
        "you play along the sum of the examples; what should it be "
        "multiplied by?"
    ),
    "examples-before-lambda": "λ comes first, then the examples.",
    "lambda-out-of-range": "λ must lie between 1e-6 and 1.",
    "examples-on-one-line": ("all your examples lie on one line through 0."),
    "game-within-the-claim": (
        "the regret of your game is no larger than the claim times `excess`; "
        "is the claim too large for your λ and T, or is the regret of your "
        "examples too small?"
    ),
    "violators-with-other-weights": (
        "the violators do not weigh in your average what they should: in how "
        "many of w_1, …, w_T is the one of step τ, and with which factors?"
    ),
    "shortened-to-another-length": (
        "your w has the right direction and another length: which length do "
        "you compare with 1/√λ?"
    ),
    "another-order-of-examples": (
        "these examples would do in another order: where is λw after two of "
        "them?"
    ),
    "subgradient-of-the-loss-only": (
        "∇_t belongs to all of f_t, and f_t is a sum of two parts."
    ),
    "other-rounds-violate": (
        "∇_t has the example of the round in it where it is a violator; "
        "when is it one?"
    ),
    "inequality-as-equality": (
        "line 0 is at most line 1, and mostly smaller; which line do lines 2 "
        "and 3 add up to?"
    ),
    "another-line": "your lines stand in another order than asked for.",
    "distance-not-squared": "the distances are to be squared.",
    "line-through-two-points": (
        "your lines go through two of the points; all of them count."
    ),
    "slopes-added": (
        "set both lines equal: is the difference of the slopes left, or "
        "their sum?"
    ),
    "heights-added": (
        "set both lines equal: is the difference of the heights left, or "
        "their sum?"
    ),
    "power-before-the-division": (
        "you take the power of the difference of the heights alone; divide "
        "first."
    ),
    "height-for-place": (
        "yours is how high both lines are where they meet, or its logarithm; "
        "asked for is the t where they do."
    ),
    "fraction-turned-over": (
        "set both lines equal, and solve for log t: which difference is "
        "above, which below?"
    ),
    "slopes-left-out": "the heights alone do not tell where lines meet.",
    "powers-of-another-base": (
        "the logarithm of your fit and the power at the end have two bases."
    ),
    "one-inside-the-logarithm": "ln(1 + T) is not 1 + ln T.",
    "root-for-logarithm": "this bound grows like √T; yours is to like ln T.",
    "two-not-squared": "the square of 2R is 4R².",
    "R-not-squared": "R enters squared.",
    "lambda-multiplied": "you multiply by λ where you should divide.",
    "lambda-forgotten": "where is λ?",
    "regret-on-the-full-objective": (
        "a round costs the loss of its own example, not the mean over all."
    ),
    "total-alone": "the regret after every round is asked for, T numbers.",
    "sign-turned": "compare the sign.",
    "two-logarithms": "the two axes have logarithms to different bases.",
    "axes-exchanged": "which of the two belongs on which axis?",
    "intercept-for-slope": "this is the intercept of the line.",
    "slope-and-intercept": "the slope alone is asked for.",
    "slope-on-linear-gap": "one of the two axes is not logarithmic.",
    "slope-without-logarithms": "both axes are to be logarithmic.",
}


def hint(task, name):
    """What to tell of a mistake in a task: the closest words there are.

    Those of the task in the zoo, then those of the task and of its
    assignment in `by_task`, then those above, then those of another task in
    the zoo.

    Parameters
    ----------
    task, name : str

    Returns
    -------
    str
    """
    own = {one.name: one.hint for one in ZOO if one.task == task}
    anywhere = {one.name: one.hint for one in ZOO}
    return {**closest(task, BY_TASK, HINTS, anywhere), **own}[name]
