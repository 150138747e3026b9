//! A chat page in Rust: `browser::Runtime` with a textarea and a list. www/test/e2e/rust.test.mjs plays it in a Chromium.
//!
//! cargo build --example page --target wasm32-unknown-unknown --no-default-features --features browser
#![cfg(target_arch = "wasm32")]

use turnseal::browser::{LinkPhase, Options, Runtime};
use turnseal::model::{Part, Role, ThreadId};
use turnseal::store::{Command, Group, GroupState, Limits, Store};
use wasm_bindgen::prelude::{JsValue, wasm_bindgen};
use web_sys::{Document, Element, window};

/// What the page calls.
#[wasm_bindgen]
pub struct Page {
    runtime: Runtime,
    main: ThreadId,
}

#[wasm_bindgen]
impl Page {
    /// A page over the server that it came from.
    #[wasm_bindgen(constructor)]
    pub fn new() -> Result<Page, JsValue> {
        let main = ThreadId::from("main");
        let drawn = main.clone();
        let store = Store::new(Limits::default());
        let draw = move |runtime: &Runtime| {
            draw(runtime, &drawn);
        };
        let runtime = Runtime::open(store, Options::new("/"), draw).map_err(|error| error.to_string())?;
        runtime.listen(&main);
        Ok(Page { runtime, main })
    }

    /// Sends what is typed.
    pub fn send(&self) {
        self.runtime.send(&self.main, &self.runtime.draft(&self.main));
        self.runtime.set_draft(&self.main, "");
    }

    /// Sends again what failed.
    pub fn retry(&self) {
        for client in self.runtime.read(|store| failed(&store.groups(&self.main))) {
            self.runtime.command(&self.main, Command::Retry(client));
        }
    }

    /// What is typed.
    pub fn draft(&self) -> String {
        self.runtime.draft(&self.main)
    }

    /// The user types.
    pub fn typed(&self, text: &str) {
        self.runtime.set_draft(&self.main, text);
    }

    /// Whether the socket is open.
    pub fn is_open(&self) -> bool {
        self.runtime.state().phase == LinkPhase::Open
    }

    /// What was refused, repaired or could not be kept.
    pub fn reports(&self) -> String {
        self.runtime.reports().iter().map(|report| report.code.as_str()).collect::<Vec<_>>().join(" ")
    }
}

fn failed(groups: &[Group<'_>]) -> Vec<turnseal::model::ClientId> {
    let failed = groups.iter().filter(|group| group.state == GroupState::Failed);
    failed.filter_map(|group| group.client.clone()).collect()
}

/// The whole list anew: short, and slow for a long thread. Rows have stable keys for those who do better.
fn draw(runtime: &Runtime, main: &ThreadId) -> Option<()> {
    let document = window()?.document()?;
    let list = document.query_selector("ol").ok()??;
    list.set_text_content(None);
    runtime.read(|store| {
        for group in store.groups(main) {
            let row = row(&document, &group)?;
            list.append_child(&row).ok()?;
        }
        Some(())
    })?;
    let typed = document.query_selector("textarea").ok()??;
    let draft = runtime.draft(main);
    js_sys::Reflect::set(&typed, &"value".into(), &draft.into()).ok().map(|_| ())
}

fn row(document: &Document, group: &Group<'_>) -> Option<Element> {
    let row = document.create_element("li").ok()?;
    let role = if group.role == Role::User { "user" } else { "other" };
    row.set_class_name(&format!("{role} {:?}", group.state).to_lowercase());
    let text = group.parts.iter().map(|part| if let Part::Text { text } = part { text } else { "" });
    row.set_text_content(Some(&text.collect::<String>()));
    Some(row)
}
