"""The page of the contest of tables."""

import json
import os

import numpy as np

HOME = "mercer auto"

HEAD = """# Tables: `mercer auto` beside ensembles of trees

One command each, on the same folds: five parts of every table, stratified for labels. Tables of more than 5,000 rows are a random part of
5,000. Regression has the root mean square error, labels the share that is wrong; numbers are means over the folds that were measured. The
time is that of search and fit, of mercer that of the whole process without the predictions: processor seconds are those of all threads.

To repeat: `python3 bench/tables.py`, with `MERCER_DATA` naming the folder of the public tables (see [bench/README.md](../../bench/README.md)).
"""


def means(runs, value):
    """The mean of a value for each table and contestant, over the folds that all of a table share."""
    out = {}
    for t in dict.fromkeys(r["table"] for r in runs):
        of = [r for r in runs if r["table"] == t]
        for c in dict.fromkeys(r["contestant"] for r in of):
            found = [r[value] for r in of if r["contestant"] == c and value in r]
            if found:
                out[t, c] = float(np.mean(found))
    return out


def grid(title, tables, names, values, form):
    lines = [f"\n## {title}\n", "| table | " + " | ".join(names) + " |", "|---|" + "---|" * len(names)]
    for t in tables:
        row = [values.get((t, c)) for c in names]
        best = min((v for v in row if v is not None), default=None)
        lines.append(f"| {t} | " + " | ".join("–" if v is None else f"**{form(v)}**" if v == best else form(v) for v in row) + " |")
    return lines


def ranks(tables, names, errors):
    """Mean ranks over the tables that all have, ties shared (Demšar, 2006), with the critical difference of Nemenyi at 5 %."""
    shared = [t for t in tables if all((t, c) in errors for c in names)]
    if len(shared) < 2:
        return []
    q = {2: 1.960, 3: 2.343, 4: 2.569, 5: 2.728, 6: 2.850, 7: 2.949, 8: 3.031}[len(names)]
    table = np.array([[errors[t, c] for c in names] for t in shared])
    rank = np.array([[np.sum(row < v) + (np.sum(row == v) + 1) / 2 for v in row] for row in table]).mean(axis=0)
    difference = q * np.sqrt(len(names) * (len(names) + 1) / (6 * len(shared)))
    lines = [f"\n## Mean ranks over {len(shared)} tables\n", f"1 is the best. Ranks that differ by less than {difference:.2f} do not differ at 5 % (Nemenyi).\n", "| contestant | mean rank |", "|---|---|"]
    return lines + [f"| {names[i]} | {rank[i]:.2f} |" for i in np.argsort(rank)]


def wins(tables, names, errors, tolerance):
    lines = []
    for c in names:
        both = [t for t in tables if (t, c) in errors and (t, HOME) in errors]
        if c != HOME and both:
            won = sum(errors[t, HOME] <= errors[t, c] + tolerance for t in both)
            lines.append(f"- against {c}: {won} of {len(both)}")
    return lines


def losses(tables, names, errors, form):
    lines = []
    for t in tables:
        others = {c: errors[t, c] for c in names if c != HOME and (t, c) in errors}
        if not others or (t, HOME) not in errors:
            continue
        best = min(others, key=others.get)
        if errors[t, HOME] > others[best]:
            lines.append(f"| {t} | {form(errors[t, HOME])} | {form(others[best])} | {best} |")
    return ["| table | mercer auto | best | of |", "|---|---|---|---|", *lines] if lines else ["None."]


def partial(runs):
    """The contestants that were measured on fewer folds than others, because they take long."""
    folds = {c: len({x["fold"] for x in runs if x["contestant"] == c}) for c in dict.fromkeys(x["contestant"] for x in runs)}
    return [c for c, n in folds.items() if n < max(folds.values())]


def comparison(runs, names, numeric, labelled):
    """How often mercer is not behind each of some contestants."""
    errors = means(runs, "error")
    return ["Of the tables with numbers:\n", *wins(numeric, names, errors, 0), "\nOf those with labels, within 1 % of the labels:\n", *wins(labelled, names, errors, 0.01)]


def on_one_fold(runs, few, numeric, labelled, number, percent):
    """Contestants of which the first fold alone was measured on all tables, beside mercer and the best of the others."""
    runs = [x for x in runs if x["fold"] == 0]
    names = [HOME, "CatBoost", *few]
    runs = [x for x in runs if x["contestant"] in names]
    errors, computed = means(runs, "error"), means(runs, "processor")
    lines = ["\n# On the first fold alone\n", "Contestants that take long are measured on one fold: LightGBM tuned by 50 random draws, each judged by three parts of the training rows, and xRFM with its defaults."]
    lines += grid("Root mean square errors of the first fold", numeric, names, errors, number)
    lines += grid("Labels that are wrong in the first fold", labelled, names, errors, percent)
    lines += grid("Processor seconds on the first fold", numeric + labelled, names, computed, lambda v: f"{v:.1f}")
    return lines + ["\n## How often mercer is not behind on the first fold\n", *comparison(runs, names, numeric, labelled)]


def write(results, page):
    with open(results, encoding="utf-8") as f:
        r = json.load(f)
    every, few = r["runs"], partial(r["runs"])
    runs = [x for x in every if x["contestant"] not in few]
    errors, seconds = means(runs, "error"), means(runs, "seconds")
    names = sorted(dict.fromkeys(x["contestant"] for x in runs), key=lambda c: c != HOME)
    kinds = {x["table"]: x["labels"] for x in runs}
    numeric, labelled = [t for t in kinds if not kinds[t]], [t for t in kinds if kinds[t]]
    number, percent = (lambda v: f"{v:.4g}"), (lambda v: f"{100 * v:.2f} %")
    folds = {t: len({x["fold"] for x in runs if x["table"] == t}) for t in kinds}
    lines = [HEAD, f"Machine: {r['machine']['cpu']}. Versions: " + ", ".join(f"{k} {v}" for k, v in r["versions"].items()) + ". "
             f"Folds: {min(folds.values())} to {max(folds.values())} of 5. {r.get('note', '')}".rstrip()]
    lines += grid("Root mean square errors", numeric, names, errors, number)
    lines += grid("Labels that are wrong", labelled, names, errors, percent)
    lines += grid("Seconds of search and fit", list(kinds), names, seconds, lambda v: f"{v:.1f}")
    if computed := means(runs, "processor"):
        lines += grid("Processor seconds of search and fit", list(kinds), names, computed, lambda v: f"{v:.1f}")
    lines += ranks(list(kinds), names, errors)
    lines += ["\n## How often mercer is not behind\n", *comparison(runs, names, numeric, labelled)]
    lines += ["\n## Losses\n", *losses(numeric, names, errors, number), "", *losses(labelled, names, errors, percent)]
    if few:
        lines += on_one_fold(every, few, numeric, labelled, number, percent)
    failed = [f"- {x['contestant']} on {x['table']}, fold {x['fold'] + 1}: {x['failed']}" for x in every if "failed" in x]
    if failed:
        lines += ["\n## Failures\n", *failed]
    os.makedirs(os.path.dirname(page), exist_ok=True)
    with open(page, "w", encoding="utf-8") as f:
        f.write("\n".join(lines) + "\n")
