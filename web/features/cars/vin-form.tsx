import { lookUpVin } from '@keyturn/contract/cars/endpoints.ts'
import { carTexts } from '@keyturn/contract/cars/texts.ts'
import { hasValidCheckDigit, isTooShortForYear, isVinShape } from '@keyturn/contract/shared/vin.ts'
import { Button } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { errorMessageOf, hasErrorCode } from '../../api/errors.ts'
import { ErrorNotice } from '../../components/feedback/error-notice.tsx'
import { announce, Notice } from '../../components/feedback/notice.tsx'
import { WorkButton } from '../../components/feedback/work-button.tsx'
import { afterPress } from '../../components/fields/after-press.ts'
import { setFields } from '../../components/fields/form.ts'
import { VinField } from '../../components/fields/vin-field.tsx'
import { vinQuery, warmUpVinLookUp } from './queries.ts'
import { ScanVin } from './scan/scan-vin.tsx'
import {
  changesAfterLookUp,
  clearOutdatedValues,
  currentLookUp,
  findOutdatedFields,
  keepEarlierValues,
  type VinValues,
} from './vin-values.ts'

const texts = carTexts.add

type VerifiedVinFieldProps<Values> = {
  label: string
  /** The values that the look-up fills in can also be typed in other fields of this form. */
  form: UseFormReturnType<Values>
}

/**
 * A VIN field whose Verify VIN button fills in the known details (R-cars-14). The look-up also
 * starts on Enter, and automatically once seventeen characters with a correct check digit were
 * typed or scanned.
 */
export function VerifiedVinField<Values extends VinValues>({ label, form }: VerifiedVinFieldProps<Values>) {
  const { value, error: fault, onChange, ...field } = form.getInputProps('vin')
  const { isLooking, latestVin, verify, failedVin, unanswered } = useLookUp(form)
  // The form's rules know nothing of the look-up, so leaving the field would remove its result
  // (R-everywhere-57).
  const error = failedVin === value ? carTexts.vinLookupFailed : fault
  const isMistyped = !hasValidCheckDigit(value)
  const isVerified = currentLookUp(form.values) !== null
  const [scanTrouble, setScanTrouble] = useState<string | null>(null)
  const onScanned = (vin: string) => {
    latestVin.current = vin
    onChange(vin)
    if (vin.length !== 17 || !isVinShape(vin) || !hasValidCheckDigit(vin)) return
    if (form.values.lookedUp?.vin === vin) announce(texts.verified)
    else void verify(vin)
  }
  return (
    <>
      <VinField
        {...field}
        label={label}
        value={value}
        error={error}
        maxLength={64}
        description={error === carTexts.vinLookupFailed ? texts.byHand : undefined}
        // Hidden during the question about the earlier VIN, because a late note would move its
        // buttons away from a click.
        note={
          (error && error !== carTexts.vinLookupFailed) || findOutdatedFields(form.values).length > 0
            ? undefined
            : warningOf(value, Number(form.values.year))
        }
        onChange={(vin) => {
          if (vin === value) return
          announce('')
          onScanned(vin)
        }}
        onKeyDown={(event) => {
          // Once the VIN is verified, Enter submits the form as in any other field.
          if (event.key !== 'Enter' || isVerified) return
          event.preventDefault()
          void verify(value)
        }}
        action={
          <>
            <ScanVin onVin={onScanned} onTrouble={setScanTrouble} />
            <WorkButton
              // A button that still waits for the old VIN's response would ignore a click for the
              // new VIN.
              key={value}
              variant="default"
              onClick={() => verify(value)}
              busy={isLooking(value)}
              working={texts.verifying}
            >
              {texts.verify}
            </WorkButton>
          </>
        }
      />
      {scanTrouble && <ErrorNotice>{scanTrouble}</ErrorNotice>}
      {unanswered && (
        <ErrorNotice onRetry={() => verify(value)}>
          {unanswered} {texts.byHandMeanwhile}
        </ErrorNotice>
      )}
      {isVerified && !isMistyped && <Notice kind="good">{texts.verified}</Notice>}
      {!isLooking(value) && <EarlierDetails form={form} />}
    </>
  )
}

/** Asks whether the details of the earlier VIN still apply, because only the person knows. */
function EarlierDetails<Values extends VinValues>({ form }: { form: UseFormReturnType<Values> }) {
  if (findOutdatedFields(form.values).length === 0) return null
  const settle = (change: Partial<VinValues>) => {
    setFields(form, change)
    form.clearFieldError('vin')
  }
  return (
    <Notice
      kind="info"
      title={texts.earlierTitle}
      action={
        <Button.Group>
          <Button variant="default" size="sm" onClick={() => settle(keepEarlierValues(form.values))}>
            {texts.keepEarlier}
          </Button>
          <Button variant="default" size="sm" onClick={() => settle(clearOutdatedValues(form.values))}>
            {texts.clearEarlier}
          </Button>
        </Button.Group>
      }
    >
      {texts.earlierQuestion}
    </Notice>
  )
}

/** Marks the VIN as invalid until the question about the earlier VIN is answered. */
export const validateVin = (values: VinValues) => (findOutdatedFields(values).length > 0 ? { vin: true } : {})

function useLookUp<Values extends VinValues>(form: UseFormReturnType<Values>) {
  const client = useQueryClient()
  const latestVin = useCurrentValue(form.values.vin)
  const [looking, setLooking] = useState<string | null>(null)
  const [failedVin, setFailedVin] = useState<string | null>(null)
  const [unanswered, setUnanswered] = useState<{ vin: string; cause: string } | null>(null)
  useEffect(warmUpVinLookUp, [])
  const verify = async (vin: string) => {
    if (vin === '') return afterPress(() => form.setFieldError('vin', carTexts.vinLookupFailed))
    // If the VIN has been corrected in the meantime, the response is about another car.
    const tell = (say: () => void) => afterPress(() => latestVin.current === vin && say())
    setLooking(vin)
    try {
      const found = await client.fetchQuery(vinQuery(vin))
      tell(() => {
        // Set one by one, because setting them together would clear every other field's error.
        setFields(form, changesAfterLookUp({ ...found, vin }, form.getValues()))
        form.clearFieldError('vin')
        setFailedVin(null)
        setUnanswered(null)
        announce(hasValidCheckDigit(vin) ? texts.verified : carTexts.vinCheckDigit)
      })
    } catch (fault) {
      tell(() => {
        setUnanswered(null)
        if (isOfTheVin(fault)) return setFailedVin(vin)
        setFailedVin(null)
        form.clearFieldError('vin')
        const { cause, sentence } = errorMessageOf(fault, texts.lookUpFailed)
        setUnanswered({ vin, cause: cause ?? sentence })
      })
    } finally {
      setLooking((now) => (now === vin ? null : now))
    }
  }
  return {
    latestVin,
    verify,
    failedVin,
    isLooking: (vin: string) => looking === vin && vin !== '',
    /** Why the look-up of the current VIN got no answer; the VIN may be right (R-cars-14). */
    unanswered: unanswered?.vin === form.values.vin ? unanswered.cause : null,
  }
}

const warningOf = (vin: string, year: number): string | undefined =>
  hasValidCheckDigit(vin)
    ? isTooShortForYear(vin, year)
      ? carTexts.vinShort
      : undefined
    : carTexts.vinCheckDigit

/**
 * Returns a ref to the field's current value, for callbacks that finish later; null once the field
 * is gone.
 */
function useCurrentValue(value: string) {
  const latestVin = useRef<string | null>(null)
  useEffect(() => {
    latestVin.current = value
    return () => {
      latestVin.current = null
    }
  }, [value])
  return latestVin
}

const isOfTheVin = (fault: unknown): boolean =>
  hasErrorCode(fault, lookUpVin, 'InvalidVin') || hasErrorCode(fault, lookUpVin, 'ValidationError')
