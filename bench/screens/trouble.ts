import type { Page, WebSocketRoute } from 'playwright-core'
import { type EndsParts, join } from './room.ts'

/** The connections of a page, which are cut and not opened again until the end of the page. */
async function makeBreakable(page: Page): Promise<() => Promise<void>> {
  const open: WebSocketRoute[] = []
  let isCut = false
  await page.context().routeWebSocket(/./, socket => {
    if (isCut) return void socket.close()
    open.push(socket)
    socket.connectToServer()
  })
  return async () => {
    isCut = true
    for (const socket of open) await socket.close()
  }
}

/** A lesson whose student has a second tab, and loses the connection to the server, and then the network. */
export async function takeTrouble({ asTeacher, asStudent, camera, look }: EndsParts): Promise<void> {
  const teacher = await asTeacher()
  await join(teacher)
  const student = await asStudent()
  const cut = await makeBreakable(student)
  await student.reload()
  await join(student)
  const second = await student.context().newPage()
  await second.goto(student.url())
  await second.waitForTimeout(1_500) // the preview
  await camera.take(second, 'second-tab', look)
  await second.close()
  await teacher.waitForTimeout(8_000) // notices have gone
  await cut()
  await student.waitForTimeout(2_000)
  await camera.take(student, 'reconnecting', look)
  await camera.take(teacher, 'other-reconnecting', look)
  await student.context().setOffline(true)
  await camera.take(student, 'offline', look)
  await Promise.all([teacher, student].map(page => page.context().close()))
}
