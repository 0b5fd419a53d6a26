import type { Party } from '@keyturn/contract/accounts/rules.ts'
import { carName } from '@keyturn/contract/cars/rules.ts'
import { appointmentCalendar } from '@keyturn/contract/dealers/appointment-calendar.ts'
import { type Appointment, findAppointment, type NextStep } from '@keyturn/contract/dealers/next-steps.ts'
import { nextStepsTexts as texts } from '@keyturn/contract/dealers/next-steps-texts.ts'
import type { Progress } from '@keyturn/contract/deals/shapes.ts'
import { formatWallTime } from '@keyturn/contract/shared/dates.ts'
import { Button } from '@mantine/core'
import { telHref } from '../../../components/display/phone-link.tsx'
import { downloadFile } from '../../../components/download-file.ts'
import { IconCalendarPlus, IconMapPin, IconPhone } from '../../../components/icons.tsx'
import classes from './next-sale-step.module.css'
import { doerName, stepsAhead } from './sale-steps.tsx'

/**
 * The next step of a signed deal, with the appointment if there is one, and how to reach the dealer
 * (R-deals-99).
 */
export function NextSaleStep({ progress, side }: { progress: Progress; side: Party }) {
  const { dealerName, dealerPhone, dealerSteps, now } = progress
  const appointment = findAppointment({ reported: dealerSteps, now })
  const [next] = stepsAhead(progress, side)
  return (
    <>
      {next && next.step !== 'appointment' && (
        <div>
          <p className={classes.step}>
            <strong>{next.title}</strong>
            <span>{doerName(next.by, side, dealerName)}</span>
          </p>
          {!isFirstCall(next) && <p className={classes.hint}>{next.when}</p>}
          <p>{next.what}</p>
        </div>
      )}
      {appointment && (
        <div>
          <p className={classes.time}>{formatWallTime(appointment.time)}</p>
          <p>{appointment.place}</p>
          <p className={classes.hint}>{texts.localTime}</p>
        </div>
      )}
      {(appointment || dealerPhone) && (
        <div className={classes.ways}>
          {appointment && (
            <>
              <Button
                variant="default"
                leftSection={<IconCalendarPlus size={20} stroke={1.75} />}
                onClick={() => saveToCalendar(progress, appointment)}
              >
                {texts.calendar}
              </Button>
              <Button
                variant="default"
                component="a"
                href={`https://www.google.com/maps/search/?${new URLSearchParams({ api: '1', query: appointment.place })}`}
                target="_blank"
                rel="noreferrer"
                leftSection={<IconMapPin size={20} stroke={1.75} />}
              >
                {texts.map}
              </Button>
            </>
          )}
          {dealerPhone && <CallButton name={dealerName} number={dealerPhone} />}
        </div>
      )}
    </>
  )
}

/** "First" says nothing on a card that shows the first step. */
const isFirstCall = ({ step }: NextStep) => step === 'call' || step === 'arrange'

export const CallButton = ({ name, number }: { name: string; number: string }) => (
  <Button
    variant="default"
    component="a"
    href={telHref(number)}
    leftSection={<IconPhone size={20} stroke={1.75} />}
  >
    {texts.call(name)}
  </Button>
)

function saveToCalendar({ pkgId, dealerName, carDetails }: Progress, { place, time }: Appointment) {
  const name = carName({ ...carDetails, trim: '' })
  const file = appointmentCalendar(
    { id: pkgId ?? '', title: `${dealerName}: ${name}`, place, time, url: location.href },
    new Date(),
  )
  downloadFile(new Blob([file], { type: 'text/calendar' }), `${name}.ics`)
}
