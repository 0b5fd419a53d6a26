import { buyingTexts as texts } from '@keyturn/contract/deals/buying-texts.ts'
import { fieldTexts } from '@keyturn/contract/kit/fields.ts'
import { isVinShape } from '@keyturn/contract/kit/vin.ts'
import { Button, Text } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { warmVinLookUp } from '../../cars/queries.ts'
import { Dialog } from '../../ui/feedback/dialog.tsx'
import { VinField } from '../../ui/fields/vin-field.tsx'

/** Asks which purchase is meant when the address names no car. The seller follows from the VIN (R-deals-4). */
export function EnterVinDialog() {
  const navigate = useNavigate()
  const [vin, setVin] = useState('')
  const [fault, setFault] = useState<string | null>(null)
  const field = useRef<HTMLInputElement>(null)
  // The purchase begins with a trade, whose VIN may be looked up.
  useEffect(warmVinLookUp, [])
  const submit = () => {
    const found = faultOf(vin)
    setFault(found)
    if (found) return field.current?.focus()
    // Replaces the dialog in the history, so that Back leaves the purchase.
    return navigate({ to: '/buyer', search: { vin }, replace: true })
  }
  return (
    <Dialog
      title={texts.enterVinTitle}
      size="sm"
      onClose={() => void navigate({ to: '/home', search: { view: 'buying' } })}
      onSubmit={submit}
      focusInside
      actions={<Button type="submit">{texts.submitVin}</Button>}
    >
      <VinField
        ref={field}
        label={texts.vin}
        value={vin}
        onChange={setVin}
        error={fault}
        maxLength={64}
        data-autofocus
      />
    </Dialog>
  )
}

/** Nothing is stored for a VIN that names no car (R-deals-3). */
export function NoCarDialog({ vin }: { vin: string }) {
  const navigate = useNavigate()
  const enterAnother = () => void navigate({ to: '/buyer', search: {}, replace: true })
  return (
    <Dialog
      title={texts.noCarTitle(vin)}
      size="sm"
      onClose={enterAnother}
      actions={<Button onClick={enterAnother}>{texts.differentVin}</Button>}
    >
      <Text>{texts.noCarText}</Text>
    </Dialog>
  )
}

function faultOf(vin: string): string | null {
  if (vin === '') return fieldTexts.vinRequired
  return isVinShape(vin) ? null : fieldTexts.vin
}
