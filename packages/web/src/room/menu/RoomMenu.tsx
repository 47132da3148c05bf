import { Keyboard } from 'lucide-react'
import { useState } from 'react'
import { MainMenu } from '../../site/MainMenu.tsx'
import { useTexts } from '../../texts/use-texts.ts'
import { MenuItem } from '../../ui/MenuItem.tsx'
import { ShortcutsDialog } from './ShortcutsDialog.tsx'

/** The main menu, with the items of a room. */
export function RoomMenu() {
  const { t } = useTexts()
  const [isHelping, setHelping] = useState(false)
  return (
    <>
      <MainMenu>
        {close => (
          <MenuItem
            icon={Keyboard}
            onClick={() => {
              close()
              setHelping(true)
            }}
          >
            {t('menu.shortcuts')}
          </MenuItem>
        )}
      </MainMenu>
      {isHelping && <ShortcutsDialog onClose={() => setHelping(false)} />}
    </>
  )
}
