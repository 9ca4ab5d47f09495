# SPDX-License-Identifier: BSD-3-Clause
pto-as --check trailing.pto
pto-as --print trailing.pto
