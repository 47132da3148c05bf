// The page of partner-backend.mjs. Only the room's states and links are specific to Lectern.

class Html {
  constructor(markup) {
    this.markup = markup
  }
}

/** Escapes every value that is not HTML. */
const html = (strings, ...values) => new Html(String.raw({ raw: strings }, ...values.map(toMarkup)))

function toMarkup(value) {
  if (value instanceof Html) return value.markup
  if (Array.isArray(value)) return value.map(toMarkup).join('')
  return String(value ?? '').replace(/[&<>"']/g, char => `&#${char.charCodeAt(0)};`)
}

const style = html`<style>
  body { font: 16px/1.5 system-ui; max-width: 50rem; margin: 3rem auto; padding: 0 1rem; color-scheme: light dark }
  h1 a { color: inherit; text-decoration: none }
  form { display: inline-flex; flex-wrap: wrap; gap: .5rem; margin-right: .5rem }
  input, button { font: inherit; padding: .3rem .7rem }
  table { width: 100%; margin-top: 1.5rem; border-collapse: collapse }
  td { padding: .6rem .5rem .6rem 0; border-top: 1px solid #8884 }
</style>`

const page = content =>
  html`<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
    <title>Lessons</title>${style}
    <h1><a href="/">Lessons</a></h1>${content}</html>`.markup

export const messagePage = message => page(html`<p>${message}</p>`)

/** `lessons` have an id, a title and either their room or an error; `events` are webhook events. */
export const lessonsPage = (lessons, events) =>
  page(html`
    <form method="post" action="/lessons">
      <input name="title" placeholder="Title" required maxlength="200">
      <input name="teacher" placeholder="Teacher's name" maxlength="100">
      <input name="student" placeholder="Student's name" maxlength="100">
      <button>Create lesson</button>
    </form>
    ${lessons.length > 0 ? html`<table>${lessons.map(lessonRow)}</table>` : html`<p>No lessons yet.</p>`}
    <h2>Events</h2>
    ${events.length > 0 ? html`<ul>${events.map(eventItem)}</ul>` : html`<p>None yet.</p>`}`)

const statusText = {
  scheduled: 'Scheduled',
  active: 'In progress',
  cancelled: 'Cancelled',
  closed: 'Finished',
}

function lessonRow({ id, title, room, error }) {
  const button = action =>
    html`<form method="post" action="/lessons/${id}/${action}"><button>${action}</button></form>`
  const link = (url, role) => html`<a href="${url}" target="_blank" rel="noreferrer">${role}</a> `
  const cells = (status, links, buttons) => html`<tr><td>${title}<td>${status}<td>${links}<td>${buttons}</tr>`

  if (error) return cells(error.message, '', error.status === 404 ? button('create') : '')
  const status = statusText[room.status] ?? room.status
  if (room.status === 'cancelled' || room.status === 'closed') return cells(status, '', '')
  return cells(
    status,
    [link(room.teacher_join_url, 'teacher'), link(room.student_join_url, 'student')],
    [button('cancel'), button('close')],
  )
}

function eventItem({ type, created_at, data: { room, recording, transcription } }) {
  const details = recording ? recording.files?.map(file => file.path).join(', ') : transcription?.text
  return html`<li>${created_at} <b>${type}</b> ${room?.external_id} ${details}</li>`
}
