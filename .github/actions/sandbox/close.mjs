// Ends the sandbox, and shows the errors that it printed.
import { readFile } from 'node:fs/promises'
import process from 'node:process'

const { STATE_pid: pid, STATE_log: log } = process.env
try {
  if (pid) process.kill(Number(pid))
} catch (error) {
  if (error.code !== 'ESRCH') throw error
  console.log('The sandbox has already ended')
}
if (log) console.log(await readFile(log, 'utf8'))
