"""Every live figure of the book, as its chapters show it."""

from pegasos_edu import explore
from pegasos_edu.live.choosing import Choosing
from pegasos_edu.live.kernels import kernels_figure
from pegasos_edu.live.machines import ManyMachines
from pegasos_edu.live.margins import margins_figure
from pegasos_edu.live.one_step import one_step
from pegasos_edu.live.paths import explore_paths
from pegasos_edu.live.regret import game
from pegasos_edu.live.scale import ScaleTrick
from pegasos_edu.live.schedules import Schedules
from pegasos_edu.live.slackness import Slackness
from pegasos_edu.live.stochastic import stochastic_figure
from pegasos_edu.live.subgradients import subgradients_figure
from pegasos_edu.live.threshold import Threshold
from pegasos_edu.live.two_losses import TwoLosses
from pegasos_edu.live.uphill import Uphill

FIGURES = {
    make().name: make
    for make in (
        Choosing,
        explore,
        explore_paths,
        game,
        kernels_figure,
        ManyMachines,
        margins_figure,
        one_step,
        ScaleTrick,
        Schedules,
        Slackness,
        stochastic_figure,
        subgradients_figure,
        Threshold,
        TwoLosses,
        Uphill,
    )
}
