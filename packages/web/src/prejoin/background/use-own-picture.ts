import { useEffect, useState } from 'react'
import type { Background } from '../../devices/background/choice.ts'
import { loadOwnPicture, removeOwnPicture, saveOwnPicture } from '../../devices/background/own-picture.ts'

export interface OwnPictureState {
  picture: ImageBitmap | null
  isUnreadable: boolean
  add(file: File): Promise<void>
  remove(): Promise<void>
}

/** The picture that the user has added in this browser. */
export function useOwnPicture(
  changeBackground: (background: Background) => void,
  chosen: Background,
): OwnPictureState {
  const [picture, setPicture] = useState<ImageBitmap | null>(null)
  const [isUnreadable, setIsUnreadable] = useState(false)
  useEffect(() => {
    let isOver = false
    void loadOwnPicture().then(loaded => {
      if (!isOver) setPicture(loaded)
    })
    return () => {
      isOver = true
    }
  }, [])
  return {
    picture,
    isUnreadable,
    async add(file) {
      try {
        await saveOwnPicture(file)
        setPicture(await loadOwnPicture())
        setIsUnreadable(false)
        changeBackground('own')
      } catch {
        setIsUnreadable(true)
      }
    },
    async remove() {
      await removeOwnPicture()
      setPicture(null)
      // The room stays hidden.
      if (chosen === 'own') changeBackground('strong')
    },
  }
}
