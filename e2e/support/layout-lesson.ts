import { joinInstrumented } from './media.ts'
import { measureReceived, visibleTracks } from './received-video.ts'
import { createHostedRoom } from './rooms.ts'
import type { PORTRAIT, useStudents } from './students.ts'
import type { Visitor } from './visitor.ts'
import { waitFor } from './wait.ts'

const MEASURE_MS = 2_000

export const DESKTOP = { width: 1440, height: 900 }

interface Parts {
  url: string
  partner: Parameters<typeof createHostedRoom>[0]
  open: Parameters<typeof createHostedRoom>[2]
  addStudents: ReturnType<typeof useStudents>
}

/** A lesson that grows, and what its teacher sees of it in each layout. */
export async function beginLayoutLesson({ url, partner, open, addStudents }: Parts) {
  const { links } = await createHostedRoom(partner, 'layouts', open)
  const tag = links.plain.split('/').at(-1) ?? ''
  const teacher = await joinInstrumented(open, links.teacher, { viewport: DESKTOP, reducedMotion: 'reduce' })
  return {
    teacher,
    view: viewOf(teacher),
    openView: () => openView(teacher),
    add: (names: string[], size?: typeof PORTRAIT) => addStudents({ url, tag, names, ...(size && { size }) }),
    tileCount: () => teacher.page.locator('[data-tile]').count(),
    choose: async (layout: string) => {
      await openView(teacher)
      await teacher.page.getByRole('radio', { name: layout }).check({ force: true })
      await teacher.page.keyboard.press('Escape')
    },
    /** Waits until the received videos are those on the stage; returns the bytes of two seconds. */
    expectVisibleIsReceived: async (people: number): Promise<number> => {
      let bytes = 0
      await waitFor(async () => {
        const visible = (await visibleTracks(teacher)).sort()
        const { video, audio, videoBytes } = await measureReceived(teacher, MEASURE_MS)
        bytes = videoBytes
        return visible.length > 0 && String(video) === String(visible) && audio.length === people - 1
      }, `the page receives what ${people} people show on its stage`)
      return bytes
    },
  }
}

const viewOf = ({ page }: Visitor) => page.getByRole('button', { name: 'View', exact: true })

async function openView(teacher: Visitor): Promise<void> {
  // On a phone it is in the sheet.
  if (!(await viewOf(teacher).isVisible())) await teacher.button('More').click()
  await viewOf(teacher).click()
}
