//! Text that must not be there, and links that must lead somewhere.

use std::path::{Path, PathBuf};

/// Words that break determinism if they reach the numerics (fused operations, iteration in hash order).
const BANNED: &[&str] = &["mul_add", "HashMap", "HashSet"];

/// Checks every source and text file of the repository.
pub fn text() -> Result<(), String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().ok_or("no repository root")?;
    let mut files = Vec::new();
    collect(root, &mut files)?;
    let mut faults = Vec::new();
    for file in &files {
        let Ok(text) = std::fs::read_to_string(file) else { continue };
        match file.extension().and_then(|e| e.to_str()) {
            Some("rs") if !file.starts_with(root.join("xtask")) => banned(file, &text, &mut faults),
            Some("md") => links(file, &text, &mut faults),
            _ => {}
        }
    }
    if faults.is_empty() { Ok(()) } else { Err(format!("text:\n{}", faults.join("\n"))) }
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> Result<(), String> {
    let entries = std::fs::read_dir(folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    for entry in entries.flatten() {
        let path = entry.path();
        let name = entry.file_name().to_string_lossy().to_string();
        if name == "target" || name == ".git" || name == "node_modules" {
            continue;
        }
        if path.is_dir() {
            collect(&path, files)?;
        } else {
            files.push(path);
        }
    }
    files.sort();
    Ok(())
}

fn banned(file: &Path, text: &str, faults: &mut Vec<String>) {
    for (number, line) in text.lines().enumerate() {
        for word in BANNED {
            if line.contains(word) {
                faults.push(format!("{}:{}: {word}", file.display(), number + 1));
            }
        }
    }
}

/// Relative links of Markdown: `](path)` or `](path#part)`.
fn links(file: &Path, text: &str, faults: &mut Vec<String>) {
    let folder = file.parent().unwrap_or(file);
    for (number, line) in text.lines().enumerate() {
        for target in line.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            let path = target.split('#').next().unwrap_or_default();
            let is_local = !path.is_empty() && !path.contains("://") && !path.contains(' ');
            if is_local && !folder.join(path).exists() {
                faults.push(format!("{}:{}: dead link {target}", file.display(), number + 1));
            }
        }
    }
}
