//! One request over `fetch`.

use js_sys::Promise;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{AbortSignal, Headers, RequestInit, Response, window};

use crate::browser::requests::Request;

/// A request that outlives its page may carry so many bytes; the host's limit is 64 KB for all of them.
const OUTLIVES: usize = 16 * 1024;

/// What is asked, of whom.
pub(super) struct Asked {
    pub(super) address: String,
    pub(super) headers: Vec<(String, String)>,
    pub(super) request: Request,
    pub(super) signal: AbortSignal,
}

impl Asked {
    /// The status and the text of the answer; else the host's words.
    ///
    /// `outlives`: the request goes on where its page is gone.
    pub(super) async fn ask(&self, outlives: bool) -> Result<(u16, String), String> {
        self.attempt(outlives).await.map_err(|error| words(&error))
    }

    async fn attempt(&self, outlives: bool) -> Result<(u16, String), JsValue> {
        let init = RequestInit::new();
        init.set_method(self.request.method);
        init.set_signal(Some(&self.signal));
        init.set_headers(self.headers()?.as_ref());
        if let Some(body) = &self.request.body {
            init.set_body(&JsValue::from_str(body));
            set_keepalive(&init, outlives && body.len() < OUTLIVES)?;
        }
        let url = format!("{}{}", self.address, self.request.path);
        let window = window().ok_or_else(|| JsValue::from_str("there is no window"))?;
        let response = settled(&window.fetch_with_str_and_init(&url, &init)).await?.dyn_into::<Response>()?;
        let text = settled(&response.text()?).await?;
        Ok((response.status(), text.as_string().unwrap_or_default()))
    }

    fn headers(&self) -> Result<Headers, JsValue> {
        let headers = Headers::new()?;
        if self.request.body.is_some() {
            headers.set("content-type", "application/json")?;
        }
        for (name, value) in &self.headers {
            headers.set(name, value)?;
        }
        Ok(headers)
    }
}

async fn settled(promise: &Promise) -> Result<JsValue, JsValue> {
    JsFuture::from(promise.clone()).await
}

fn set_keepalive(init: &RequestInit, value: bool) -> Result<(), JsValue> {
    js_sys::Reflect::set(init, &JsValue::from_str("keepalive"), &JsValue::from_bool(value)).map(|_| ())
}

fn words(error: &JsValue) -> String {
    let error = error.dyn_ref::<js_sys::Error>().map(|error| String::from(error.message()));
    error.unwrap_or_else(|| "the request failed".to_owned())
}
