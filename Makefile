# Each command sets up what it needs, at pinned versions, and is quick when nothing changed. CONTRIBUTING.md says more.
.DEFAULT_GOAL := help
.PHONY: help setup build pack check test matrix mutants demo docs screenshots example bench size proof coverage cargo-mutants release-dry-run clean

help: ## this list
	@grep -E '^[a-z-]+:.*##' Makefile | sed -E 's/:.*## /\t/' | expand -t 18

setup: ## what the other commands need: the wasm target, pinned tools, npm packages, a Chromium
	@scripts/setup

build: setup ## pkg/dist: the npm package, from Rust and TypeScript
	@node scripts/build.mjs

pack: build ## target/pack/turnseal-<version>.tgz
	@node scripts/pack.mjs

check: setup ## format, lints, docs, links, tidy, types, licences, unused dependencies, package, size (STEPS="fmt clippy")
	@node scripts/check.mjs $(STEPS)

test: setup ## all tests; closes with "N passed, N failed" (STAGES="rust wasm")
	@node scripts/test.mjs $(STAGES)

matrix: pack ## a tiny app with each bundler, framework and host, from the tarball; a table of what renders (CELLS="webpack")
	@node scripts/matrix.mjs $(CELLS)

mutants: setup ## breaks each law on purpose and expects its tests to see it (MUTANTS="l03")
	@node scripts/mutants.mjs $(MUTANTS)

demo: setup ## the chat over the reference server, and the lab, at one printed URL (PORT=)
	@scripts/delegate www/demo "the demo"

example: pack ## an app of www/examples with its back end, at one printed URL (NAME=react, sveltekit, plain, node-server, python; PORT=)
	@node scripts/example.mjs $(NAME)

docs: setup ## the documentation as pages, with the references of TypeScript and Rust; prints where
	@node scripts/docs.mjs

screenshots: setup ## pictures of the chat and the lab, into www/site/screenshots
	@node scripts/screenshots.mjs

bench: build ## the cost table against the peers (LANES="deltas peers", PEERS="ag-ui", HOSTS="node"; WRITE=1 puts it into BENCH.md)
	@scripts/delegate bench/run "the benchmark"

size: build ## what is downloaded, by entry, and what each wasm is made of, by crate, room and function
	@node scripts/size.mjs --inside

proof: build ## all states of small models, long random runs, bytes, faults, mutants (PARTS="model fuzz", SHARE=0.01)
	@node scripts/proof.mjs

coverage: ## which lines of the core the tests run, and every line that none runs (TESTS="scenarios")
	@WITH=cargo-llvm-cov scripts/setup
	@node scripts/coverage.mjs

cargo-mutants: ## changes the code of files one change at a time; what no test sees is listed (FILES="src/store/loader.rs")
	@WITH=cargo-mutants scripts/setup
	@node scripts/cargo-mutants.mjs $(FILES)

release-dry-run: setup ## all that a release does but publishing: versions, licences, tarball, npm and cargo in the dry
	@node scripts/release.mjs

clean: ## all that was built here; the tools in the cache stay
	rm -rf target pkg/dist pkg/wasm pkg/node_modules www/site/dist www/site/node_modules www/examples/*/node_modules www/examples/sveltekit/.svelte-kit
