import { carName } from '@keyturn/contract/cars/rules.ts'
import { packageTexts as texts } from '@keyturn/contract/deals/agreement-texts.ts'
import { completeDeal } from '@keyturn/contract/deals/calls.ts'
import type { DealPackage } from '@keyturn/contract/deals/shapes.ts'
import { Button, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useAct } from '../../decide/act.ts'
import { ConfirmDialog } from '../../ui/feedback/confirm-dialog.tsx'
import { isAdministratorQuery } from '../../who/administrator.ts'
import { mayComplete } from '../may-move.ts'
import { reasonOf } from './reason.ts'

/** The administrator's last step, hidden from everybody else (R-deals-43). */
export function CompleteDeal({ deal }: { deal: DealPackage }) {
  const isAdministrator = useQuery(isAdministratorQuery).data === true
  const [isOpen, setOpen] = useState(false)
  const close = () => setOpen(false)
  const { act } = useAct(completeDeal, { refresh: [['deals'], ['cars']], said: texts.done, onDone: close })
  if (!isAdministrator || !mayComplete(deal)) return null
  return (
    <>
      <Button onClick={() => setOpen(true)}>{texts.complete}</Button>
      {isOpen && (
        <ConfirmDialog
          title={texts.complete}
          confirm={texts.complete}
          failed={reasonOf}
          onConfirm={() => act({ params: { pkgId: deal._id } })}
          onClose={close}
        >
          <Text>{texts.completeQuestion(carName(deal.car))}</Text>
        </ConfirmDialog>
      )}
    </>
  )
}
