//! The page of a sweep: quantities over what was varied, rows, failures.

use bristle::sweep::{Column, Folder, Plan, Row, Sampling};
use bristle_report::{Cell, Explorer, Page, Table};

/// Most rows that are drawn; more are thinned out evenly.
const DRAWN: usize = 20_000;
/// Most rows in a table.
const LISTED: usize = 500;

pub fn page(folder: &Folder) -> Page {
    let (plan, status) = (folder.plan(), folder.status());
    let all: Vec<&Row> = folder.rows().collect();
    let lead = format!(
        "{}: {} of {} rows, {} failed. {}",
        plan.source().file,
        status.done,
        status.rows,
        status.failed,
        kind(plan.sampling())
    );
    let name = std::path::Path::new(&plan.source().file).file_stem().unwrap_or_default().to_string_lossy();
    let mut page = Page::new(format!("Sweep of {name}")).lead(lead).explorer(explorer(plan, &all));
    let failures: Vec<&Row> = all.iter().filter(|row| row.outcome.is_err()).copied().collect();
    if !failures.is_empty() {
        page = page.heading("Rows that failed").table(table(plan, &failures, true));
    }
    page = page.heading("Rows").table(table(plan, &all, false));
    let mut text = format!("scene {}\n", plan.source().file);
    text.extend(plan.source().overrides.iter().map(|o| format!("--set {o}\n")));
    if plan.sampling() != Sampling::List {
        text.extend(plan.variations().iter().map(|v| format!("--vary {v}\n")));
    }
    page.heading("Plan").code(text.trim_end().to_string())
}

fn kind(sampling: Sampling) -> String {
    match sampling {
        Sampling::Grid => "Every combination of the values.".to_string(),
        Sampling::List => "Values from a list.".to_string(),
        Sampling::Random { seed, .. } => format!("Random values, seed {seed}."),
        Sampling::Sobol { seed, .. } => format!("Sobol points, seed {seed}."),
    }
}

fn explorer(plan: &Plan, all: &[&Row]) -> Explorer {
    let every = all.len().div_ceil(DRAWN).max(1);
    let rows: Vec<&Row> = all.iter().step_by(every).copied().collect();
    let values: Vec<Vec<String>> = rows.iter().map(|row| plan.values(row.index)).collect();
    let mut explorer = Explorer::new("Results", rows.iter().map(|row| row.index));
    for (at, input) in plan.inputs().iter().enumerate() {
        explorer =
            explorer.input(&input.name, input.unit, input.is_log, values.iter().map(|v| cell(input, &v[at])));
    }
    for (at, output) in plan.outputs().iter().enumerate() {
        explorer = explorer.output(&output.name, output.unit, rows.iter().map(|row| result(row, at).into()));
    }
    explorer
}

fn table(plan: &Plan, rows: &[&Row], shows_errors: bool) -> Table {
    let caption = if rows.len() > LISTED {
        format!("The first {LISTED} of {}; rows.csv and rows.parquet have all", rows.len())
    } else {
        String::new()
    };
    let (inputs, outputs) = (plan.inputs(), plan.outputs());
    let unit = |column: &Column| if column.unit == "1" { "" } else { column.unit };
    let mut table = Table::new(caption).column("row", "");
    for column in inputs.iter().chain(outputs.iter().filter(|_| !shows_errors)) {
        table = table.column(column.name.clone(), unit(column));
    }
    if shows_errors {
        table = table.column("reason", "");
    }
    for row in rows.iter().take(LISTED) {
        let mut cells = vec![Cell::Number(row.index as f64)];
        cells.extend(inputs.iter().zip(plan.values(row.index)).map(|(column, text)| cell(column, &text)));
        match &row.outcome {
            Err(reason) if shows_errors => cells.push(reason.as_str().into()),
            _ => cells.extend((0..outputs.len()).map(|at| Cell::from(result(row, at)))),
        }
        table = table.row(cells);
    }
    table
}

fn cell(column: &Column, text: &str) -> Cell {
    match text.parse() {
        Ok(number) if column.is_numeric => Cell::Number(number),
        _ => Cell::Text(text.to_string()),
    }
}

fn result(row: &Row, at: usize) -> Option<f64> {
    row.outcome.as_ref().ok().and_then(|results| results.get(at).copied().flatten())
}
