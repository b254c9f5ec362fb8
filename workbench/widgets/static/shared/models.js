// Widgets inside a widget: their models, by the names of the trait "children".

export async function child(model, name) {
  const reference = model.get("children")[name];
  if (typeof reference !== "string") return reference;
  return model.widget_manager.get_model(reference.replace("IPY_MODEL_", ""));
}
