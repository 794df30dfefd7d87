// A service whose runs take no time, in a process of its own: says its port, ends with its parent.
import { createServer } from 'node:http'

let started = 0

const server = createServer((request, response) => {
  request.resume()
  const { url = '' } = request
  if (url.startsWith('/file')) {
    response.setHeader('content-type', 'text/plain')
    response.end('a row of a result\n'.repeat(50))
    return
  }
  response.setHeader('content-type', 'application/json')
  response.end(
    JSON.stringify(url.endsWith('/status') ? finished() : { execution_id: `e${++started}` }),
  )
})

function finished() {
  const link = `http://127.0.0.1:${server.address().port}/file?signature=0123456789abcdef`
  const flags = { finished: true, error: false, stopped: false, container_error: false }
  return { ...flags, result_url: link, logs_url: link }
}

server.listen(0, '127.0.0.1', () => process.send(server.address().port))
process.on('disconnect', () => process.exit())
