# SPDX-License-Identifier: BSD-3-Clause
pto-as --emit=bundles transfers.pto | grep -v '^//' | sed 's/^ *//'
