// A partner's page with a room in it: events of the room beside it, and buttons that send commands.
//
//   SVC_INTEGRATION_FRAME_ANCESTORS=http://127.0.0.1:4001 npm start      the server permits the page
//   node examples/embed.mjs http://127.0.0.1:8080/j/…                    a link that npm start has printed
//
// Then open http://127.0.0.1:4001. PORT changes the port.

import { createServer } from 'node:http'

const [, , link = ''] = process.argv
const { PORT = '4001' } = process.env
if (!URL.canParse(link)) {
  console.error('Usage: node examples/embed.mjs LINK')
  process.exit(1)
}

const escapeHtml = text => text.replace(/[&<>"']/g, char => `&#${char.charCodeAt(0)};`)

const page = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Portal</title>
<style>
  body { font: 16px/1.5 system-ui; max-width: 70rem; margin: 1rem auto; padding: 0 1rem; color-scheme: light dark }
  button { font: inherit; padding: .3rem .7rem }
  lectern-room { aspect-ratio: auto; height: 36rem }
</style>
<script src="${new URL('/embed.js', link).href}"></script>
<h1>Portal</h1>
<p id="buttons"></p>
<lectern-room src="${escapeHtml(link)}"></lectern-room>
<ol id="events"></ol>
<script type="module" src="/page.js"></script>
</html>`

const script = `
const element = document.querySelector('lectern-room')
const log = text => document.querySelector('#events').append(Object.assign(document.createElement('li'), { textContent: text }))
for (const name of ['joined', 'participants', 'recording', 'devices', 'left', 'ended', 'error'])
  element.addEventListener(name, ({ detail }) => log(JSON.stringify(detail)))

const commands = {
  'Mute': room => room.setMicrophone(false),
  'Ask to unmute': room => room.setMicrophone(true),
  'Camera off': room => room.setCamera(false),
  'Ask for the camera': room => room.setCamera(true),
  'Open chat': room => room.openChat(),
  'Dark': room => room.setTheme('dark'),
  'Русский': room => room.setLanguage('ru'),
  'Leave': room => room.leave(),
}
for (const [label, command] of Object.entries(commands)) {
  const button = Object.assign(document.createElement('button'), { textContent: label })
  button.onclick = () => command(element.room).then(() => log(label + ': done'), error => log(label + ': ' + error.code))
  document.querySelector('#buttons').append(button, ' ')
}
`

createServer((request, response) => {
  const send = (type, body) => response.writeHead(200, { 'content-type': `${type}; charset=utf-8` }).end(body)
  const { pathname } = new URL(request.url ?? '/', 'http://localhost')
  if (pathname === '/') return send('text/html', page)
  if (pathname === '/page.js') return send('text/javascript', script)
  response.writeHead(404).end()
}).listen(Number(PORT), '127.0.0.1', () => {
  console.log(`The page is at http://127.0.0.1:${PORT}`)
})
