import { describe, expect, it } from '@jest/globals'
import { kinds, other } from '../../../src/cause/kinds.ts'
import { readLines } from '../../../src/cause/lines.ts'

describe('the table of kinds', () => {
  it.each([...kinds, other])('has an example that no earlier row takes: $name', (kind) => {
    expect(readLines(kind.example).map((line) => line.kind.name)).toEqual([kind.name])
  })

  it.each([
    ['frame', "\tfrom job.rb:12:in `each'"],
    ['frame', 'goroutine 1 [running]:'],
    ['frame', 'created by main.main'],
    ['frame', '    ... 2 lines matching cause stack trace ...'],
    ['native frame', '#0 /app/load.php(20): fail()'],
    ['native frame', 'Stack Trace:'],
    ['quoted source', '    > 3 |   fail()'],
    ['quoted source', '      ^--- error here'],
    ['ignored exception', 'Error in atexit._run_exitfuncs:'],
    ['unclosed client', 'Unclosed connector'],
    ['unclosed client', 'Task was destroyed but it is pending!'],
    ['unclosed client', 'client_session: <aiohttp.ClientSession error>'],
    ['killed', 'Killed'],
    ['killed', 'zsh: killed     python main.py'],
    ['killed', 'make: *** [Makefile:3: run] Killed'],
    ['crashed', 'run.sh: line 2:  4711 Segmentation fault      (core dumped) python main.py'],
    ['crashed', 'Bus error'],
    ['memory limit', 'Memory limit of 512 MiB exceeded with 530 MiB used'],
    ['SIGKILL', 'report was terminated by SIGKILL'],
    ['exit status', 'make: *** [Makefile:3: run] Error 1'],
    ['exit status', 'report-1 exited with code 137'],
    ['end of a tool', 'error: could not compile `feed` due to 2 previous errors'],
    ['trap of a shell', 'deploy failed at line 12'],
    ['note', 'hint: the tip of your branch failed'],
    ['aborted', 'rake aborted!'],
    ['aborted', 'run.sh: line 2: 4711 Aborted              ./report'],
    ['last words of a tool', 'Compilation failed in require at a.pl line 1.'],
    ['failed build', 'Failed to compile.'],
    ['failed build', '> Task :compileJava FAILED'],
    ['detail of npm', 'npm ERR! code E404'],
    ['message of npm', 'npm ERR! 404 Not Found'],
    ['stop signal', 'got SIGTERM after 318 pages'],
    ['stop signal', 'Received signal 15, stopping'],
    ['stop signal', 'Received SIGINT'],
    ['stop signal', '[INFO] Handling signal: term'],
    ['terminated', 'run.sh: line 2:  4711 Terminated              python main.py'],
    ['error of a compiler', 'Main.java:1: error: cannot find symbol'],
    ['error of a compiler', 'a.ts:3:5 - error TS2322: Type string'],
    ['error of a compiler', 'error[E0425]: cannot find value'],
    ['place in a file', '/app/App.java:[12,9] cannot find symbol'],
    ['no failures', 'without any exception'],
    ['no failures', 'failed: false'],
    ['failed test', '--- FAIL: TestTotal (0.00s)'],
    ['failed test', '  ● total › adds'],
    ['message of a shell', '/app/start: 5: HOST: parameter not set'],
    ['message of a shell', 'dash: 15: HOST: parameter not set'],
    ['message of the system', 'bash: ./r.sh: Permission denied'],
    ['message of the system', 'ping: connect: Connection refused'],
    ['message of the system', 'tee: a.csv: No space left on device'],
    ['message of the system', 'env: jq: command not found'],
    ['message of a tool', 'error: pathspec nope did not match'],
    ['message of a tool', 'docker: Cannot connect to the Docker daemon'],
    ['message of a tool', 'ssh: connect to host a port 22'],
    ['count of failures', 'errors: 2'],
    ['count of failures', '1 exception'],
    ['look elsewhere', 'the job failed, look above'],
    ['word of failure', '  × No solution found'],
    ['message of Perl', 'bad row at a.pl line 12.'],
    ['word of refusal or lack', "it can't be read"],
    ['word of refusal or lack', 'the key does not exist'],
  ])('has the kind %s for: %s', (name, line) => {
    expect(readLines(line)[0]?.kind.name).toBe(name)
  })

  it.each([
    ['m.c:2:13: warning: unused variable'],
    ['m.c:2:28: note: reported only once'],
    ['the worker was sent home'],
    ['code 300'],
    ['see error.log'],
    ['memory limit: 512 MiB, quota exceeded'],
    ['it was killed_by a test'],
    ['expected str, got int'],
    ['upload_failed'],
    ['state: Terminated'],
    ['Aborted by 3 users'],
  ])('has no kind for: %s', (line) => {
    const { rank = '' } = readLines(line)[0]?.kind ?? {}
    expect(['last', 'failure']).toContain(rank)
  })

  // A pattern that backtracks over so long a text needs longer than a test may take.
  const characters = Array.from('a0_ \t.,:;-=+*/\\|\'"`([{<^~!?#@$%&>}])│')

  it.each(kinds)('has a pattern that reads repeated characters once: $name', ({ test }) => {
    for (const character of characters) {
      const text = character.repeat(100_000)
      expect(test instanceof RegExp && test.test(text)).toBe(matchesShort(test, character))
    }
  })

  function matchesShort(test: (typeof kinds)[number]['test'], character: string): boolean {
    return test instanceof RegExp && test.test(character.repeat(4_000))
  }
})
