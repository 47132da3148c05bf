import { Ban, Droplet, Droplets, type LucideIcon } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import { type Background, PICTURES } from '../../devices/background/choice.ts'
import { drawPicture } from '../../devices/background/pictures.ts'
import type { Devices } from '../../devices/devices.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { useValue } from '../../use-value.ts'
import styles from './BackgroundPicker.module.css'
import { OwnPicture, OwnThumbnail } from './OwnPicture.tsx'
import { type Draw, Thumbnail } from './Thumbnail.tsx'
import { useOwnPicture } from './use-own-picture.ts'

const pictures = PICTURES.map(name => {
  const draw: Draw = (drawing, { width }) => drawPicture(drawing, name, width)
  return [name, draw] as const
})
const icons = { off: Ban, light: Droplet, strong: Droplets } satisfies Partial<Record<Background, LucideIcon>>

/** The choice of the background: small pictures, of which one is chosen. */
export function BackgroundPicker({ devices }: { devices: Devices }) {
  const { t } = useTexts()
  const name = useId()
  const { background, changeBackground } = devices
  const chosen = useValue(background)
  const own = useOwnPicture(changeBackground, chosen)
  if (!background.isSupported && chosen === 'off')
    return <p className={styles.hint}>{t('background.unsupported')}</p>
  const option = (value: Background, picture: ReactNode) => (
    <label key={value} className={styles.option}>
      <input
        type="radio"
        className={styles.input}
        name={name}
        checked={value === chosen}
        onChange={() => changeBackground(value)}
      />
      <span className={styles.picture}>{picture}</span>
      <span className={styles.word}>{t(`background.options.${value}`)}</span>
    </label>
  )
  return (
    <fieldset className={styles.choice}>
      <legend className={styles.legend}>{t('background.title')}</legend>
      <div className={styles.options}>
        {(['off', 'light', 'strong'] as const).map(each => {
          const Icon = icons[each]
          return option(each, <Icon aria-hidden="true" />)
        })}
        {pictures.map(([each, draw]) => option(each, <Thumbnail draw={draw} />))}
        {own.picture && option('own', <OwnThumbnail picture={own.picture} />)}
      </div>
      <OwnPicture own={own} />
    </fieldset>
  )
}
