// A rule on outcomes while it is tuned: everything that follows from weights and thresholds, made anew at every step.

import { outcomesOf, savingOf } from "./gate_outcomes.js";
import { equalRules, marginsOf, routesOf, scaled } from "./gate_rule.js";
import { isWrong, meanLoss, oracleShares, sharesOf, totalsOf } from "./gate_totals.js";

export class GateState {
  constructor(model) {
    this.model = model;
    this.load();
  }

  // Other outcomes.
  load() {
    const outcomes = outcomesOf(this.model);
    this.outcomes = outcomes;
    this.saving = Float64Array.from({ length: outcomes.n }, (_, i) => savingOf(outcomes, i));
    this.visible = new Uint8Array(outcomes.n).fill(1);
    this.margins = new Float64Array(outcomes.n);
    this.routes = new Uint8Array(outcomes.n);
    this.shares = new Float64Array(outcomes.n);
    this.oracle = new Float64Array(outcomes.n);
    this.adopt();
  }

  // The rule that the kernel holds.
  adopt() {
    this.rule = this.known();
    this.tolerance = this.model.get("tolerance");
    this.compute();
  }

  known() {
    const weights = this.model.get("weights");
    return {
      weights: weights.length === 3 ? weights : [1 / 3, 1 / 3, 1 / 3],
      native: this.model.get("native"),
      force: this.model.get("force"),
    };
  }

  // Whether the kernel's figures are of the rule that is shown.
  get confirmed() {
    return equalRules(this.rule, this.known()) && this.tolerance === this.model.get("tolerance");
  }

  move(change) {
    const weights = change.weights ? scaled(change.weights) : this.rule.weights;
    this.rule = { ...this.rule, ...change, weights };
    this.compute();
  }

  moveTolerance(value) {
    this.tolerance = value;
    this.compute();
  }

  compute() {
    const { outcomes } = this;
    marginsOf(outcomes, this.rule.weights, this.margins);
    routesOf(outcomes, this.margins, this.rule, this.routes);
    sharesOf(outcomes, this.routes, this.shares);
    // Regret compares equals: the oracle may lose what the rule loses.
    const own = Math.max(this.tolerance, meanLoss(outcomes, this.shares));
    this.allowed = this.confirmed ? this.model.get("allowed") : own;
    oracleShares(outcomes, this.allowed, this.oracle);
    this.kept = null;
  }

  // Made when asked for: a table of requests needs none.
  get totals() {
    this.kept ??= totalsOf(this.outcomes, this);
    return this.kept;
  }

  saved(i) {
    return this.shares[i] * this.outcomes.gain[i];
  }

  lost(i) {
    return this.shares[i] * this.outcomes.loss[i];
  }

  regret(i) {
    return this.oracle[i] * this.outcomes.gain[i] - this.saved(i);
  }

  wrong(i) {
    return isWrong(this.routes[i], this.oracle[i]);
  }

  signals(i) {
    return [this.outcomes.s[i], this.outcomes.c[i], this.outcomes.r[i]];
  }
}
