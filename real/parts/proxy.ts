import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { closedAddress } from './closed-port.ts'
import { makeTemporaryFolder } from '../../__tests__/support/temporary-folder.ts'
import { startProgram } from './program.ts'

export interface Proxy extends AsyncDisposable {
  /** `127.0.0.1:<port>`, as in a proxy address. */
  host: string
  /** Ends the proxy and returns the targets of its requests, as `host:port`. */
  endAndReadTargets(): Promise<string[]>
}

export interface ProxyRules {
  /** Ports that the proxy may connect to. */
  ports: number[]
  /** Letters and digits only. */
  account: { name: string; password: string }
}

const howToGet = 'Install it from Debian: `apt-get install tinyproxy`.'

/** Starts tinyproxy on loopback. */
export async function openProxy(rules: ProxyRules): Promise<Proxy> {
  await using resources = new AsyncDisposableStack()
  const folder = resources.use(await makeTemporaryFolder())
  const { host, port } = new URL(await closedAddress())
  const configuration = path.join(folder.path, 'tinyproxy.conf')
  await writeFile(configuration, configure(port, rules))
  const program = resources.use(
    await startProgram({
      command: 'tinyproxy',
      args: ['-d', '-c', configuration],
      ready: /Starting main loop/,
      howToGet,
    }),
  )
  const opened = resources.move()
  return {
    host,
    async endAndReadTargets() {
      // The log is complete only after the program has ended.
      await opened.disposeAsync()
      return [...program.printed().matchAll(/: CONNECT (\S+) HTTP/g)].map(([, host = '']) => host)
    },
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}

function configure(port: string, { ports, account }: ProxyRules): string {
  const lines = [
    `Port ${port}`,
    'Listen 127.0.0.1',
    'Allow 127.0.0.1',
    'Timeout 60',
    'LogLevel Info',
    ...ports.map((allowed) => `ConnectPort ${String(allowed)}`),
    `BasicAuth ${account.name} ${account.password}`,
  ]
  return `${lines.join('\n')}\n`
}
