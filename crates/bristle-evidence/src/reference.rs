//! Reference files, embedded: tables of numbers with a header, and scalars.

use crate::Fault;
use serde_json::Value;

/// A table of numbers with a header.
#[derive(Debug, Clone)]
pub struct Table {
    file: &'static str,
    names: Vec<String>,
    rows: Vec<Vec<f64>>,
}

impl Table {
    /// Reads the text of a CSV file.
    ///
    /// # Errors
    /// [`Fault::Reference`] if it is no table of numbers.
    pub fn read(file: &'static str, text: &str) -> Result<Self, Fault> {
        let wrong = |what: String| Fault::Reference { file: file.into(), what };
        let mut reader = csv::Reader::from_reader(text.as_bytes());
        let names = reader.headers().map_err(|e| wrong(e.to_string()))?.iter().map(str::to_string).collect();
        let mut rows = Vec::new();
        for row in reader.records() {
            let row = row.map_err(|e| wrong(e.to_string()))?;
            let number = |cell: &str| cell.parse::<f64>().map_err(|_| wrong(format!("{cell} is no number")));
            rows.push(row.iter().map(number).collect::<Result<_, _>>()?);
        }
        Ok(Self { file, names, rows })
    }

    /// File name.
    pub fn file(&self) -> &'static str {
        self.file
    }

    /// The header.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// All rows, cells in the order of the header.
    pub fn rows(&self) -> &[Vec<f64>] {
        &self.rows
    }

    /// A column by its name.
    ///
    /// # Errors
    /// [`Fault::Reference`] if there is none.
    pub fn column(&self, name: &str) -> Result<Vec<f64>, Fault> {
        let k = self.names.iter().position(|n| n == name);
        let k =
            k.ok_or_else(|| Fault::Reference { file: self.file.into(), what: format!("no column {name}") })?;
        Ok(self.rows.iter().filter_map(|row| row.get(k).copied()).collect())
    }

    /// Columns named `prefix` and a number, as (number, values).
    pub fn family(&self, prefix: &str) -> Vec<(f64, Vec<f64>)> {
        let found = self.names.iter().enumerate();
        let found = found.filter_map(|(k, name)| Some((name.strip_prefix(prefix)?.parse().ok()?, k)));
        let values = |k: usize| self.rows.iter().filter_map(|row| row.get(k).copied()).collect();
        found.map(|(number, k)| (number, values(k))).collect()
    }

    /// The rows with `key` in the first column.
    pub fn rows_of(&self, key: f64) -> Self {
        let rows = self.rows.iter().filter(|row| row.first() == Some(&key)).cloned().collect();
        Self { file: self.file, names: self.names.clone(), rows }
    }

    /// The different numbers of the first column, in order of appearance.
    pub fn keys(&self) -> Vec<f64> {
        let mut keys: Vec<f64> = Vec::new();
        for key in self.rows.iter().filter_map(|row| row.first().copied()) {
            if !keys.contains(&key) {
                keys.push(key);
            }
        }
        keys
    }
}

/// Scalars from a JSON file, which remember where they are for messages.
#[derive(Debug, Clone)]
pub struct Scalars {
    file: &'static str,
    path: String,
    value: Value,
}

impl Scalars {
    /// Reads the text of a JSON file.
    ///
    /// # Errors
    /// [`Fault::Reference`] if it is none.
    pub fn read(file: &'static str, text: &str) -> Result<Self, Fault> {
        let value = serde_json::from_str(text)
            .map_err(|e| Fault::Reference { file: file.into(), what: e.to_string() })?;
        Ok(Self { file, path: String::new(), value })
    }

    /// What stands under a key of an object.
    pub fn at(&self, key: &str) -> Self {
        let path = format!("{}.{key}", self.path);
        Self { file: self.file, path, value: self.value.get(key).cloned().unwrap_or(Value::Null) }
    }

    /// The elements of a list; none if it is no list.
    pub fn list(&self) -> Vec<Self> {
        let elements = self.value.as_array().into_iter().flatten().enumerate();
        let element = |(i, value): (usize, &Value)| Self {
            file: self.file,
            path: format!("{}[{i}]", self.path),
            value: value.clone(),
        };
        elements.map(element).collect()
    }

    /// The keys of an object and what stands under them.
    pub fn entries(&self) -> Vec<(String, Self)> {
        let keys = self.value.as_object().into_iter().flatten();
        keys.map(|(key, _)| (key.clone(), self.at(key))).collect()
    }

    /// Whether there is a number under a key.
    pub fn has(&self, key: &str) -> bool {
        self.value.get(key).is_some_and(Value::is_number)
    }

    /// The number under a key.
    ///
    /// # Errors
    /// [`Fault::Reference`] if there is none.
    pub fn number(&self, key: &str) -> Result<f64, Fault> {
        self.at(key).value()
    }

    /// The number itself.
    ///
    /// # Errors
    /// [`Fault::Reference`] if it is none.
    pub fn value(&self) -> Result<f64, Fault> {
        let what = || format!("{} is no number", self.path.trim_start_matches('.'));
        self.value.as_f64().ok_or_else(|| Fault::Reference { file: self.file.into(), what: what() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_have_columns_families_and_keys() {
        let table = Table::read("t.csv", "k,e_D10,e_D20\n1,0.5,0.6\n2,0.7,0.8\n2,0.9,1\n").unwrap();
        assert_eq!(table.column("k").unwrap(), [1.0, 2.0, 2.0]);
        assert_eq!(table.family("e_D"), [(10.0, vec![0.5, 0.7, 0.9]), (20.0, vec![0.6, 0.8, 1.0])]);
        assert_eq!((table.keys(), table.rows_of(2.0).rows().len()), (vec![1.0, 2.0], 2));
        assert!(table.column("x").unwrap_err().to_string().contains("t.csv: no column x"));
        assert!(Table::read("t.csv", "k\na\n").is_err());
    }

    #[test]
    fn scalars_say_what_is_missing() {
        let file = Scalars::read("s.json", r#"{ "a": { "b": [1, 2.5] } }"#).unwrap();
        assert_eq!(file.at("a").at("b").list()[1].value().unwrap(), 2.5);
        let error = file.at("a").number("c").unwrap_err().to_string();
        assert_eq!(error, "reference s.json: a.c is no number");
    }
}
