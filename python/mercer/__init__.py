"""scikit-learn estimators that drive the command mercer."""

from ._command import MercerError, command, run
from ._estimators import MercerGP, MercerLogistic, MercerRidge, MercerSVC, MercerSVR
from ._model import Model, load

__all__ = ["MercerError", "MercerGP", "MercerLogistic", "MercerRidge", "MercerSVC", "MercerSVR", "Model", "command", "load", "run"]
