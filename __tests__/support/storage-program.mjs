// Runs GitHub's clients in their own process, so that a test can set their environment.
import process from 'node:process'

const { openClients } = await import(process.argv[2])
const clients = openClients()
process.on('message', ({ id, name, order }) => {
  clients[name](order, (line) => process.send({ id, line })).then(
    (report) => process.send({ id, report }),
    ({ message, kind, mayExist }) => process.send({ id, failure: message, kind, mayExist }),
  )
})
