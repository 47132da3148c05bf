import type { PointerPosition } from '../../call/pointers.ts'
import type { Rect } from '../stage/layout/geometry.ts'
import { pointOf } from './letterbox.ts'
import styles from './PointerMark.module.css'

interface Props {
  /** The video in its tile. */
  content: Rect | null
  position: PointerPosition | null | undefined
}

/** The mark where the presenter points. */
export function PointerMark({ content, position }: Props) {
  if (!content || !position) return null
  return <span className={styles.mark} style={pointOf(content, position)} data-pointer aria-hidden="true" />
}
