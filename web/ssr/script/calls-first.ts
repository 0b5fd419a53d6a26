// A step of its own in `forms.ts`: the calls that the forms make.
import '@keyturn/contract/accounts/endpoints.ts'
