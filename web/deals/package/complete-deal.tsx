import { carName } from '@keyturn/contract/cars/rules.ts'
import { completeDeal, type DealPackage } from '@keyturn/contract/deals/calls.ts'
import { dealTexts } from '@keyturn/contract/deals/texts.ts'
import { Button, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useAct } from '../../decide/act.ts'
import { ConfirmDialog } from '../../ui/feedback/confirm-dialog.tsx'
import { announce } from '../../ui/feedback/notice.tsx'
import { isAdministratorQuery } from '../../who/administrator.ts'
import { mayComplete } from '../may-move.ts'
import { reasonOf } from './reason.ts'

const texts = dealTexts.pkg

/** The administrator's last step, hidden from everybody else (R-deals-43). */
export function CompleteDeal({ deal }: { deal: DealPackage }) {
  const isAdministrator = useQuery(isAdministratorQuery).data === true
  const [isOpen, setOpen] = useState(false)
  const { act } = useAct(completeDeal, { refresh: [['deals'], ['cars']] })
  if (!isAdministrator || !mayComplete(deal)) return null
  const complete = async () => {
    await act({ params: { pkgId: deal._id } })
    announce(texts.done)
    setOpen(false)
  }
  return (
    <>
      <Button onClick={() => setOpen(true)}>{texts.complete}</Button>
      {isOpen && (
        <ConfirmDialog
          title={texts.complete}
          confirm={texts.complete}
          failed={reasonOf}
          onConfirm={complete}
          onClose={() => setOpen(false)}
        >
          <Text>{texts.completeQuestion(carName(deal.car))}</Text>
        </ConfirmDialog>
      )}
    </>
  )
}
