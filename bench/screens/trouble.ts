import { type EndsParts, join } from './lesson.ts'

declare global {
  interface Window {
    /** Closes the connections of the page, which opens no other one then. */
    cutConnections: () => void
  }
}

/** Runs in the page, before its scripts. */
function makeBreakable(): void {
  const opened: WebSocket[] = []
  let isCut = false
  window.WebSocket = class extends WebSocket {
    constructor(url: string | URL, protocols?: string | string[]) {
      super(isCut ? 'wss://127.0.0.1:9' : url, protocols)
      opened.push(this)
    }
  }
  window.cutConnections = () => {
    isCut = true
    for (const each of opened) each.close()
  }
}

/** A lesson whose student has a second tab, and loses the connection to the server, and then the network. */
export async function takeTrouble({ asTeacher, asStudent, camera, look }: EndsParts): Promise<void> {
  const teacher = await asTeacher()
  await join(teacher)
  const student = await asStudent()
  await student.addInitScript(makeBreakable)
  await student.reload()
  await join(student)
  const second = await student.context().newPage()
  await second.goto(student.url())
  await second.waitForTimeout(1_500) // the preview
  await camera.take(second, 'second-tab', look)
  await second.close()
  await teacher.waitForTimeout(8_000) // notices have gone
  await student.evaluate(() => window.cutConnections())
  await student.waitForTimeout(2_000)
  await camera.take(student, 'reconnecting', look)
  await camera.take(teacher, 'other-reconnecting', look)
  await student.context().setOffline(true)
  await camera.take(student, 'offline', look)
  await Promise.all([teacher, student].map(page => page.context().close()))
}
