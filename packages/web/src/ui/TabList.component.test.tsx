import { useState } from 'react'
import { describe, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { checkAppearance } from '../testing/appearance.ts'
import { render } from '../testing/render.tsx'
import type { LanguageName } from '../texts/languages.ts'
import { useTexts } from '../texts/use-texts.ts'
import { TabList } from './TabList.tsx'

const TABS = ['audio', 'video', 'notices', 'appearance', 'statistics'] as const

/** Tabs as in the settings of a room. */
function Tabs() {
  const { t } = useTexts()
  const [selected, select] = useState<(typeof TABS)[number]>('audio')
  return (
    <main style={{ padding: '1rem' }}>
      <TabList
        label="Settings"
        id="tabs"
        tabs={TABS.map(value => ({ value, content: t(`roomSettings.tabs.${value}`) }))}
        selected={selected}
        onSelect={select}
      />
      <div id="tabs-content" role="tabpanel" aria-labelledby={`tabs-${selected}`} />
    </main>
  )
}

const list = () => page.getByRole('tablist').element() as HTMLElement
const tabAt = (index: number) => page.getByRole('tab').elements().at(index) as HTMLElement

/** Whether the whole tab is seen. */
function isInView(tab: HTMLElement): boolean {
  const [box, line] = [tab.getBoundingClientRect(), list().getBoundingClientRect()]
  return box.left >= line.left && box.right <= line.right
}

describe('tabs that do not fit', () => {
  it.each<[LanguageName, readonly [number, number], string, string]>([
    ['en', [320, 568], 'right', 'left'],
    ['de', [390, 664], 'right', 'left'],
    ['de', [360, 640], 'right', 'left'],
    ['ar', [320, 568], 'left', 'right'],
  ])(
    'stay in one line in %s at %o, which fades at its %s and then at its %s',
    async (language, size, end, start) => {
      await render(<Tabs />, { language, size })
      const tops = () =>
        new Set(
          page
            .getByRole('tab')
            .elements()
            .map(each => each.getBoundingClientRect().top),
        )
      expect(tops().size).toBe(1)
      expect(document.documentElement.scrollWidth).toBe(size[0])
      await expect.poll(() => list().dataset.more).toBe(end)
      expect([isInView(tabAt(0)), isInView(tabAt(-1))]).toEqual([true, false])
      tabAt(0).focus()
      await userEvent.keyboard('{End}')
      await expect.poll(() => [list().dataset.more, isInView(tabAt(-1))]).toEqual([start, true])
      await userEvent.keyboard('{Home}')
      await expect.poll(() => [list().dataset.more, isInView(tabAt(0))]).toEqual([end, true])
      tabAt(2).click()
      await expect.poll(() => isInView(tabAt(2))).toBe(true)
    },
  )

  it('keep the selected one in view when the window becomes narrow, and fade at no side when it is wide', async () => {
    await render(<Tabs />)
    expect(list().dataset.more).toBe('')
    tabAt(3).click()
    await page.viewport(320, 568)
    await expect.poll(() => [list().dataset.more, isInView(tabAt(3))]).toEqual(['left right', true])
    await checkAppearance('tabs', { selector: 'main' })
  })
})
