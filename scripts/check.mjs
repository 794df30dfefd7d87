// `npm run check`: all of these, the quick ones first; one that fails does not keep the others.
import { spawnSync } from 'node:child_process'
import process from 'node:process'

const checks = ['licenses', 'docs:check', 'knip', 'types', 'format:check', 'lint']
// npm is a script on Windows, which a shell alone starts.
const failed = checks.filter((check) => {
  console.log(`npm run ${check}`)
  return spawnSync(`npm run --silent ${check}`, { stdio: 'inherit', shell: true }).status !== 0
})
console.log(failed.length === 0 ? 'All checks passed' : `Failed: ${failed.join(', ')}`)
process.exitCode = failed.length === 0 ? 0 : 1
