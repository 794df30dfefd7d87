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
    ['killed by a signal', 'Killed'],
    ['killed by a signal', 'zsh: killed     python main.py'],
    ['killed by a signal', 'make: *** [Makefile:3: run] Killed'],
    [
      'killed by a signal',
      'run.sh: line 2:  4711 Segmentation fault      (core dumped) python main.py',
    ],
    ['killed by a signal', 'Bus error'],
    ['out of memory', 'Memory limit of 512 MiB exceeded with 530 MiB used'],
    ['SIGKILL', 'report was terminated by SIGKILL'],
    ['exit status', 'make: *** [Makefile:3: run] Error 1'],
    ['exit status', 'report-1 exited with code 137'],
    ['effect of an error', 'error: could not compile `feed` due to 2 previous errors'],
    ['effect of an error', 'ERROR: current transaction is aborted'],
    ['trap of a shell', 'deploy failed at line 12'],
    ['advice', 'Run `bundle install` to install missing gems.'],
    ['uncaught exception', "job.rb:7:in `total': undefined method (NoMethodError)"],
    ['note', 'hint: the tip of your branch failed'],
    ['aborted', 'rake aborted!'],
    ['aborted', 'run.sh: line 2: 4711 Aborted              ./report'],
    ['last words of a tool', 'Compilation failed in require at a.pl line 1.'],
    ['last words of a tool', 'error: could not apply 3bbf06b... Round the totals'],
    ['failed build', 'Failed to compile.'],
    ['failed build', 'ninja: build stopped: subcommand failed.'],
    ['failed build', '> Task :compileJava FAILED'],
    ['detail of npm', 'npm ERR! code E404'],
    ['message of npm', 'npm ERR! 404 Not Found'],
    ['stop signal', 'got SIGTERM after 318 pages'],
    ['stop signal', 'Received signal 15, stopping'],
    ['stop signal', 'Received SIGINT'],
    ['stop signal', '[INFO] Handling signal: term'],
    ['stop signal', 'run.sh: line 2:  4711 Terminated              python main.py'],
    ['error of a compiler', 'Main.java:1: error: cannot find symbol'],
    ['error of a compiler', '/usr/bin/ld: m.c:(.text+0xa): undefined reference to `rate`'],
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
    ['message of the system', 'unzip:  cannot find zipfile directory in one of a.zip or'],
    ['message of the system', 'gzip: a.gz: unexpected end of file'],
    ['message of the system', 'env: jq: command not found'],
    ['message of a tool', 'error: pathspec nope did not match'],
    ['message of a tool', 'docker: Cannot connect to the Docker daemon'],
    ['message of a tool', 'ssh: connect to host a port 22'],
    ['message of a tool', 'CONFLICT (content): Merge conflict in a.csv'],
    ['count of failures', 'errors: 2'],
    ['count of failures', '1 exception'],
    ['look elsewhere', 'the job failed, look above'],
    ['word of failure', '  × No solution found'],
    ['message of Perl', 'bad row at a.pl line 12.'],
    ['word of refusal or lack', "it can't be read"],
    ['word of refusal or lack', 'the key does not exist'],
    ['word of refusal or lack', 'gzip: a.gz: not in gzip format'],
    ['word of refusal or lack', 'bzip2: (stdin) is not a bzip2 file.'],
  ])('has the kind %s for: %s', (name, line) => {
    expect(readLines(line)[0]?.kind.name).toBe(name)
  })

  it.each([
    ['shell command', 'a + b'],
    ['shell command', '++bye'],
    ['frame', 'look at fail (error.js:3:9)'],
    ['frame', 'the goroutine 17'],
    ['frame', 'was created by main'],
    ['frame', 'and ... 12 more'],
    ['frame', 'from here'],
    ['native frame', 'step 14: std::panic'],
    ['native frame', 'pull #12 is open'],
    ['native frame', 'the stack trace:'],
    ['native frame', 'stack trace: none'],
    ['quoted source', 'row 4 | throw'],
    ['quoted source', 'a ^ b'],
    ['quoted source', 'a run.sh: line 7: `done'],
    ['logging error', 'the Call stack:'],
    ['logging error', 'Call stack: none'],
    ['arguments of a logger', 'bad Arguments: (1,)'],
    ['unclosed client', 'the object: <Task error>'],
    ['killed', 'it was Killed'],
    ['killed', 'Killed 3 sessions'],
    ['crashed', 'a segmentation fault'],
    ['out of memory', 'Killed processes'],
    ['uncaught exception', 'no panic: bye'],
    ['lost crash of Rust', "a thread 'x' panicked at a.rs:1:2: Any { .. }"],
    ['crash of Ruby', "in job.rb:7:in `total': x (NoMethodError)"],
    ['crash of Ruby', "job.rb:7:in `total': x (NoMethodError) again"],
    ['exit status', 'exit code: 1 of a row'],
    ['exit status', 'status 300'],
    ['end of a tool', 'exiting now, bye'],
    ['trap of a shell', 'failed in line 5 of a.csv'],
    ['page of help', 'the [Help 1]'],
    ['page of help', 'go To see the full stack'],
    ['note', 'a note: bye'],
    ['aborted', 'it was aborted'],
    ['aborted', 'aborted by 3'],
    ['last words of a tool', 'an error: metadata-generation-failed'],
    ['last words of a tool', 'error: metadata-generation-failed here'],
    ['last words of a tool', 'a × Encountered error'],
    ['last words of a tool', 'the Compilation failed'],
    ['name of a test file', 'in test_rows.py'],
    ['name of a test file', 'test_rows.py is bad'],
    ['headline', 'a === bye ==='],
    ['headline', '=== bye === a'],
    ['failed build', 'the BUILD FAILED'],
    ['detail of npm', 'an npm error path /app'],
    ['detail of npm', 'npm error 404'],
    ['message of npm', 'an npm error 404'],
    ['terminated', 'it was terminated'],
    ['terminated', 'Terminated 3 sessions'],
    ['error of a compiler', 'in a.ts(3,5): error TS2322'],
    ['error of a compiler', 'an error[E0425]: x'],
    ['place in a file', 'in ./main.go:4:14: undefined'],
    ['statistics', "'a': 3 rows"],
    ['failed test', 'a FAILED a.py::b'],
    ['failed test', 'is not ok 1'],
    ['message of a shell', 'in run.sh: line 5: x'],
    ['message of the system', 'a cp: stat a: No such file or directory'],
    ['message of the system', 'cp: a: No such file or directory, again'],
    ['message of a tool', 'a fatal: unable'],
    ['message of a tool', 'a  ! [rejected]'],
    ['message of Perl', 'bad row at a.pl line 5. Bye'],
    ['word of failure', 'the sign × in a line'],
    ['word of failure', 'errors.txt'],
    ['word of failure', 'error/2'],
    ['name of an exception', 'RowError.csv'],
  ])('has another kind than %s for: %s', (name, line) => {
    expect(readLines(line)[0]?.kind.name).not.toBe(name)
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
