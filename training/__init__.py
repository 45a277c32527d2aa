"""How the small models are made: written wordings into examples, examples into weights, weights into ONNX files.

Four commands, in this order: `training.data` counts the examples, `training.train` fits a teacher and then the models
that ship, `training.export` writes int8 files, `training.evaluate` measures them on authors that were left out. None
of this is in the wheel; PyTorch and onnx are needed here and nowhere else.
"""
