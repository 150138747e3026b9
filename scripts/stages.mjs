// The stages of `make test`, in order: one line each.
//   name    what `make test STAGES="name"` calls it
//   run     a command line, from the root of the tree
//   reads   whose closing lines hold the counts: `cargo`, `node` (node --test), or `plain` ("N passed, N failed")
//   needs   `build`: pkg/dist is built before it; `chromium`: CHROME and CHROMEDRIVER are set for it, or it fails
const wasm = 'cargo test --target wasm32-unknown-unknown --no-fail-fast'

export const stages = [
  { name: 'scripts', run: 'node --test scripts/*.test.mjs', reads: 'node', needs: [] },
  { name: 'rust', run: 'cargo test --quiet --all-features --no-fail-fast', reads: 'cargo', needs: [] },
  { name: 'server', run: 'cargo test --quiet -p turnseal-server --no-fail-fast', reads: 'cargo', needs: [] },
  { name: 'wasm', run: `${wasm} --features wasm --test wasm --test wasm_scenarios --test wasm_machine --test engine --test transcript -- --nocapture`, reads: 'cargo', needs: [] },
  { name: 'chromium', run: `${wasm} --features wasm --test browser`, reads: 'cargo', needs: ['chromium'] },
  { name: 'package', run: 'node --test pkg/test/*.test.mjs', reads: 'node', needs: ['build'] },
  { name: 'e2e', run: 'cargo build --quiet -p turnseal-server && node --experimental-websocket --test www/test/e2e/*.test.mjs', reads: 'node', needs: ['build', 'chromium'] },
  { name: 'pages', run: 'node --test pkg/test/pages/*.test.mjs', reads: 'node', needs: ['build', 'chromium'] },
  { name: 'matrix', run: 'node scripts/pack.mjs && node scripts/matrix.mjs --quick', reads: 'plain', needs: ['build', 'chromium'] },
  { name: 'site', run: 'node scripts/site.mjs && cargo build --quiet -p turnseal-server && cargo test --quiet --all-features --test scenarios --no-run && node --test www/test/site/*.test.mjs', reads: 'node', needs: ['build', 'chromium'] },
  { name: 'demo', run: 'node --test www/test/*.test.mjs', reads: 'node', needs: ['build', 'chromium'] },
  { name: 'examples', run: 'node scripts/pack.mjs && node scripts/example.mjs --install && node --test www/test/examples/*.test.mjs', reads: 'node', needs: ['build', 'chromium'] },
]
