"""A generator of Go from the model and the plan as JSON (spec/model.md, MODEL-30 to MODEL-32)."""
