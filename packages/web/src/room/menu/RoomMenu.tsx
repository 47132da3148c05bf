import { Keyboard } from 'lucide-react'
import { MainMenu } from '../../site/MainMenu.tsx'
import { useTexts } from '../../texts/use-texts.ts'
import { MenuItem } from '../../ui/MenuItem.tsx'
import type { Dialogs } from '../dialogs.ts'

/** The main menu, with the items of a room. */
export function RoomMenu({ dialogs }: { dialogs: Dialogs }) {
  const { t } = useTexts()
  return (
    <MainMenu>
      {close => (
        <MenuItem
          icon={Keyboard}
          onClick={() => {
            close()
            dialogs.show('shortcuts')
          }}
        >
          {t('menu.shortcuts')}
        </MenuItem>
      )}
    </MainMenu>
  )
}
