//! The files that no reader takes, by name, with the reason.

const MODEL_SIDE: &str = "the model's side of a run whose events are read from its other files";
const LOG_ONLY: &str = "the log of a session whose stream was not recorded (its wire.jsonl has one line, or is absent)";

/// Folder, file, reason.
pub const SKIPPED: &[(&str, &str, &str)] = &[
    ("codex", "ideal-binary-response.txt", "a drawn screen, not a stream"),
    ("codex", "incomplete_sse.json", "one event without its item: nothing in it can be told"),
    (
        "ag-ui",
        "MixedToolInvocationIntegration__MixedInvocation_TwoTurnFlow_EmitsToolCallsThenServerResults.recording.json",
        MODEL_SIDE,
    ),
    ("ag-ui", "Step01_GettingStarted__PostRun_MultiTurn_SynthesizesAssistantMessages.recording.json", MODEL_SIDE),
    (
        "ag-ui",
        "Step02_BackendTools__PostRun_WithBackendToolCall_InvokesToolAndStreamsResult.recording.json",
        MODEL_SIDE,
    ),
    (
        "ag-ui",
        "Step04_HumanInLoop__PostRun_WithApprovalRequired_RoundTripsThroughBothWrappers.recording.json",
        MODEL_SIDE,
    ),
    ("ag-ui", "Step05_StateManagement__PostRun_WithState_EmitsStateSnapshotAndSummary.recording.json", MODEL_SIDE),
    ("ag-ui", "Step08_MultimodalMessages__PostRun_WithImageUrl_DescribesImage.recording.json", MODEL_SIDE),
    ("ag-ui", "Step09_InterruptsApproval__PostRun_DeleteRequest_EmitsInterruptThenResumes.recording.json", MODEL_SIDE),
    (
        "ag-ui",
        "Step10_InterruptsUserInput__PostRun_SetupRequest_EmitsInputInterruptThenResumes.recording.json",
        MODEL_SIDE,
    ),
    ("ag-ui", "Step11_Serialization__PostRun_EventsSerializeAndDeserializeRoundTrip.recording.json", MODEL_SIDE),
    (
        "ag-ui",
        "Step12_ParallelToolCalls__PostRun_WithParallelToolCalls_InvokesBothToolsAndStreamsResults.recording.json",
        MODEL_SIDE,
    ),
    ("kimi-code", "migration-legacy__test__fixtures__broken-state-json__context.jsonl", LOG_ONLY),
    ("kimi-code", "migration-legacy__test__fixtures__broken-state-json__wire.jsonl", LOG_ONLY),
    (
        "kimi-code",
        "migration-legacy__test__fixtures__multi-workdir__.kimi__sessions__73d3cf4d1cf337adf57d6732b8be2205__uuid-a1__context.jsonl",
        LOG_ONLY,
    ),
    (
        "kimi-code",
        "migration-legacy__test__fixtures__multi-workdir__.kimi__sessions__73d3cf4d1cf337adf57d6732b8be2205__uuid-a2__context.jsonl",
        LOG_ONLY,
    ),
    (
        "kimi-code",
        "migration-legacy__test__fixtures__multi-workdir__.kimi__sessions__kaos-foo_caaf674614e26c6365945408f85c9c9a__uuid-c1__context.jsonl",
        LOG_ONLY,
    ),
    ("kimi-code", "migration-legacy__test__fixtures__tiny-hello-world__context.jsonl", LOG_ONLY),
    ("kimi-code", "migration-legacy__test__fixtures__tiny-hello-world__wire.jsonl", LOG_ONLY),
    (
        "kimi-code",
        "kosong__test__e2e__fixtures__python-jsonl-compat.jsonl",
        "a log without a stream, with a line that is broken on purpose",
    ),
    (
        "kimi-code",
        "apps__vis__server__test__fixtures__sessions__sample-main__agents__agent-0__wire.jsonl",
        "configuration only: no turn",
    ),
    (
        "vercel-ai",
        "harness-claude-code__src__bridge____fixtures____subagent-step-stream.json",
        "whole messages, no deltas",
    ),
];

/// The files of a folder that are not read, with their reasons.
pub fn skipped(folder: &str) -> impl Iterator<Item = (&'static str, &'static str)> {
    SKIPPED.iter().filter(move |(name, ..)| *name == folder).map(|(_, file, reason)| (*file, *reason))
}
