import type { ConceptDefinition } from "./concept";

/** Concepts of recipes. */
export const RECIPE_CONCEPTS: readonly ConceptDefinition[] = [
  {
    kind: "ingredients",
    names:
      "ingredient, recipe ingredient, ingredient list, zutaten, ingrédients, ingrediente, ingredienti, ingrediënten, ингредиенты, 材料, 配料",
    paths: "recipeIngredient ingredients",
    families: "Recipe",
  },
  {
    kind: "steps",
    names:
      "step, instruction, recipe instruction, direction, method, preparation, procedure, preparation step, cooking step, zubereitung, anleitung, schritte, étapes, préparation, instrucciones, preparación, pasos, elaboración, modo de preparo, preparo, preparazione, procedimento, bereiding, bereidingswijze, приготовление, 作り方, 手順, 步骤",
    paths: "recipeInstructions step itemListElement",
    families: "Recipe HowTo",
  },
  {
    kind: "yield",
    names:
      "yield, recipe yield, serving, servings count, number of serving, serve, portion, makes, portionen, ergibt, personen, nombre de personnes, porciones, raciones, rendimiento, porções, rendimento, porzioni, dosi, porties, personnes, anzahl portionen",
    paths: "recipeYield yield",
    families: "Recipe HowTo",
  },
  {
    kind: "duration",
    names:
      "prep time, preparation time, prep, time prep, vorbereitungszeit, arbeitszeit, temps de préparation, tiempo de preparación, tempo de preparo, tempo di preparazione, voorbereidingstijd, active time",
    paths: "prepTime",
    families: "Recipe HowTo",
  },
  {
    kind: "duration",
    names:
      "cook time, cooking time, cook, baking time, time cook, kochzeit, backzeit, koch backzeit, garzeit, temps de cuisson, tiempo de cocción, tempo de cozimento, tempo di cottura, kooktijd, baktijd",
    paths: "cookTime",
    families: "Recipe",
  },
  {
    kind: "duration",
    names:
      "total time, total, time total, time, ready in, duration, gesamtzeit, temps total, tiempo total, tempo total, tempo totale, totale tijd",
    paths: "totalTime",
    families: "Recipe HowTo",
  },
  { kind: "text", names: "cuisine, recipe cuisine, küche, cocina, cozinha, cucina, keuken", paths: "recipeCuisine" },
  {
    kind: "text",
    names: "calorie, kcal, energy, kalorien, calories per serving",
    paths: "nutrition.calories calories",
  },
];
