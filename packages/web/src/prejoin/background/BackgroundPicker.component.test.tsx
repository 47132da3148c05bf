import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { type BackgroundEffect, noBackground } from '../../devices/background/effect.ts'
import { removeOwnPicture } from '../../devices/background/own-picture.ts'
import { Devices } from '../../devices/devices.ts'
import { noSuppressor } from '../../devices/noise-suppressor.ts'
import { checkAppearance } from '../../testing/appearance.ts'
import { checkKeyboard } from '../../testing/keyboard.ts'
import { DESKTOP, PHONE, render } from '../../testing/render.tsx'
import { playableDevices, playableTrack } from '../../testing/tracks.ts'
import { BackgroundDialog } from '../SettingsDialog.tsx'

/** Works at once. */
const effect: BackgroundEffect = {
  isSupported: () => true,
  start: async () => ({ track: playableTrack('video'), change: () => {} }),
}
const broken: BackgroundEffect = { ...noBackground, isSupported: () => true }

beforeEach(removeOwnPicture)

async function show(used = effect) {
  const devices = new Devices(
    playableDevices('camera A'),
    () => () => {},
    () => localStorage,
    noSuppressor,
    used,
  )
  onTestFinished(() => devices.close())
  await devices.start({ camera: true, microphone: false })
  await render(
    <main>
      <h1>Dialog</h1>
      <BackgroundDialog devices={devices} onClose={() => {}} />
    </main>,
  )
  return devices
}

const option = (name: string) => page.getByRole('radio', { name, exact: true })
const button = (name: string) => page.getByRole('button', { name, exact: true })
const file = () => document.querySelector('input[type=file]') as HTMLInputElement

async function aPicture(): Promise<File> {
  const canvas = new OffscreenCanvas(64, 64)
  canvas.getContext('2d')?.fillRect(0, 0, 64, 64)
  return new File([await canvas.convertToBlob()], 'holiday.png', { type: 'image/png' })
}

describe('the choice of a background', () => {
  it('is a group of radio buttons, for keys and pointers', async () => {
    const devices = await show()
    await expect.element(option('None')).toBeChecked()
    await option('Plants').click()
    expect(devices.background.get()).toBe('plants')
    await userEvent.keyboard('{ArrowRight}')
    await expect.element(option('Evening')).toBeChecked()
    expect(devices.background.get()).toBe('dusk')
    await checkKeyboard()
    await checkAppearance('backgrounds', { sizes: [PHONE, DESKTOP] })
    await page.viewport(...PHONE)
    for (const radio of document.querySelectorAll('input[type=radio]')) {
      const { width, height } = radio.getBoundingClientRect()
      expect(Math.min(width, height)).toBeGreaterThanOrEqual(44)
    }
    await page.viewport(...DESKTOP)
  })

  it('has a picture of the user, which is kept until it is removed', async () => {
    const devices = await show()
    await userEvent.upload(file(), await aPicture())
    await expect.element(option('Own picture')).toBeChecked()
    expect(devices.background.get()).toBe('own')
    await button('Remove own picture').click()
    await expect.element(option('Strong blur')).toBeChecked()
    expect(option('Own picture').query()).toBeNull()
  })

  it('reports a file that is no picture', async () => {
    const devices = await show()
    await userEvent.upload(file(), new File(['words'], 'words.png', { type: 'image/png' }))
    await expect
      .element(page.getByText('This file is not a picture that the browser can open.'))
      .toBeVisible()
    expect(devices.background.get()).toBe('off')
  })

  it('leaves the camera off where the background cannot be hidden, until the user shows the room', async () => {
    const devices = await show(broken)
    await option('Strong blur').click()
    await expect.element(page.getByText('Your camera stays off', { exact: false })).toBeVisible()
    expect(devices.camera.get()).toEqual({ is: 'failed', problem: 'background_failed' })
    await button('Show my room').click()
    await expect.poll(() => devices.camera.get().is).toBe('on')
    await expect.element(option('None')).toBeChecked()
  })

  it('is explained where the browser has none', async () => {
    await show(noBackground)
    await expect.element(page.getByText('This browser cannot hide what is behind you.')).toBeVisible()
  })
})
